"""`python -m kg`, for where the command is not on the path."""

from kg.cli import main

main()
