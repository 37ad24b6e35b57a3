"""Opens files from outside through one door: regular files alone, inside their folder, sizes checked first.

Everything that reads a file from outside goes through here, by path (`door`) or by the file's
kind: `texts`, `arrays`, `pictures`, `archives`. `tests/pure/untrusted_files/test_one_door.py` holds that.
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
