"""How much memory a process took at most."""

from __future__ import annotations

import re
import sys
from pathlib import Path

__all__ = ["peak"]


def peak() -> int:
    """Return the peak of this process's memory in bytes.

    On Linux the count of `resource` starts with what the parent had when it made this process, so the kernel's
    own count is read.
    """
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        found = re.search(r"VmHWM:\s*(\d+) kB", status)
        assert found is not None
        return int(found.group(1)) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
