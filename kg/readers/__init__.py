"""From files to papers: sniff the format, read every record, and account for each of them.

Every record of an input becomes a paper, a duplicate of one, or a `Rejection` with file, record number and
reason: `Reading` holds all three, and their numbers add up.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     path = Path(folder, "papers.jsonl")
...     _ = path.write_text('{"title": "On X"}\\n{"year": 2026}\\n', encoding="utf-8")
...     reading = read([path])
>>> [paper.title for paper in reading.papers], [r.reason for r in reading.rejections]
(['On X'], ['neither title nor abstract'])
"""

from __future__ import annotations

from kg.readers.formats import FORMATS
from kg.readers.reading import Reading, read
from kg.readers.values import Rejection

__all__ = ["FORMATS", "Reading", "Rejection", "read"]
