"""Saves values of passes in a pipeline file: whole or not at all, with its own line ends."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_values.writing import with_values
from texelscope.pipeline.untrusted_files import read_bytes


def save_values(path: Path, values: Mapping[str, str]) -> str:
    """Writes values, by `PASS.TABLE.NAME`, into the file as it is now; returns its text before.

    Raises TexelscopeError for a file that cannot be read or written, and as `with_values`; the file stays then.
    """
    data = read_bytes(path, path.name)
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    try:
        before = data[len(mark) :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise TexelscopeError(path.name, "UTF-8 text", f"byte {error.start} is not", "Save it as UTF-8.") from error
    after = mark + with_values(before, values, path.name).encode("utf-8")

    def write(unfinished: Path) -> None:
        unfinished.write_bytes(after)

    write_whole(path, write)
    return before
