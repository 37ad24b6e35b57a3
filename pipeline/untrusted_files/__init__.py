"""The one door to files from outside: regular files alone, inside their folder where they have one, sizes first.

Whatever reads a file that this program did not bring along goes through here, by path (`door`) or by what the file
holds: `texts`, `arrays`, `pictures`, `archives`. `tests/pure/untrusted_files/test_one_door.py` holds that.
"""

from __future__ import annotations

from texelscope.pipeline.untrusted_files.door import (
    OutsideFileError,
    copy_file,
    is_file,
    is_folder,
    is_inside,
    opened,
    read_bytes,
    read_text,
    reason,
    resolved,
    size_of,
)

__all__ = [
    "OutsideFileError",
    "copy_file",
    "is_file",
    "is_folder",
    "is_inside",
    "opened",
    "read_bytes",
    "read_text",
    "reason",
    "resolved",
    "size_of",
]
