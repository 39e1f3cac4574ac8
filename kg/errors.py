"""The errors that `kg` raises, each with a message that says what is wrong and what to do.

::

    KgError
    ├── UsageError               what was asked cannot be meant: an option out of its range; also a ValueError
    │   └── QueryError           a query has a syntax error, lacks a parameter, or no query has that name
    ├── InputError               an input cannot be read at all: missing, empty, not text, no papers in it
    │   └── AnnotationsError     a line of annotations.jsonl is not a PaperRecord
    ├── OutputError              an output cannot be written: no permission, disk full
    ├── CatalogueError           a catalogue file does not hold known things
    ├── CorrectionsError         a corrections file does not hold corrections, or they contradict each other
    └── StoreError               a store cannot be opened or reached, or does not let us in
        └── CypherNotInstalled   the extra that runs Cypher without a server is not installed

One bad record of an input is no error: it becomes a `kg.readers.Rejection` and the rest goes on.
"""

from __future__ import annotations

__all__ = [
    "AnnotationsError",
    "CatalogueError",
    "CorrectionsError",
    "CypherNotInstalled",
    "InputError",
    "KgError",
    "OutputError",
    "QueryError",
    "StoreError",
    "UsageError",
]


class KgError(Exception):
    """Any error that `kg` foresees. Its text is one line, fit to show to a user."""


class UsageError(KgError, ValueError):
    """What was asked cannot be meant, whatever the inputs hold: an option out of its range, an unknown name."""


class InputError(KgError):
    """An input cannot be read at all."""


class AnnotationsError(InputError):
    """A line of an annotations file is not a PaperRecord. The message names file, line and reason."""


class OutputError(KgError):
    """An output cannot be written. Nothing is left under its final name."""


class CatalogueError(KgError):
    """A catalogue file does not hold known things. The message names file, entry and reason."""


class CorrectionsError(KgError):
    """A corrections file does not hold corrections. The message names file, entry and reason."""


class QueryError(UsageError):
    """A query cannot be run: its syntax, a missing parameter, or an unknown name."""


class StoreError(KgError):
    """A store cannot be opened or reached, or refuses the credentials."""


class CypherNotInstalled(StoreError):
    """The extra that runs Cypher without a server is not installed."""
