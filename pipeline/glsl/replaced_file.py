"""Replaces one of the files that a program was assembled from."""

from __future__ import annotations

import dataclasses

from texelscope.pipeline.glsl.lines import line_directive, numbered
from texelscope.pipeline.glsl.source_text import version_of
from texelscope.pipeline.plan import ProgramSource, SourceFile


def with_text(source: ProgramSource, file: SourceFile, text: str) -> ProgramSource | None:
    """Returns `source` with another text for one of its files; None if the program does not contain the file's text.

    The code generated around the files stays: an accessor that the old text did not mention is missing.
    """
    changed = dataclasses.replace(file, text=text)
    files = tuple(changed if each.number == file.number else each for each in source.files)
    head = line_directive(file.number, 1) + "\n"
    old, new = head + file.text.rstrip(), head + text.rstrip()
    if old in source.fragment:
        return dataclasses.replace(source, fragment=source.fragment.replace(old, new, 1), files=files)
    is_whole = all(version_of(each) is not None for each in (file.text, text))
    if is_whole and numbered(file.text, file.number) == source.fragment:
        return dataclasses.replace(source, fragment=numbered(text, file.number), files=files)
    return None
