"""Shaders written by hand, on other shapes: as they are, or with the sizes in them made others."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.reduce.sizes import resized, resized_text
from texelscope.pipeline.reduce.subject import Subject


def guesses(subject: Subject, shapes: Mapping[str, Shape]) -> Iterator[tuple[Subject, dict[str, str]]]:
    """The subject with uniforms, and its files' texts by path, as they may have to be for `shapes` (by key)."""
    keys = (*subject.each.outputs, *subject.each.reads)
    before = [(subject.stored[key].shape, subject.stored[key].layout) for key in keys]
    after = [(shapes[key], subject.stored[key].layout) for key in keys]
    files = {file.path: file.text for file in subject.program.files}
    if before == after:
        yield subject, files
        return
    uniforms = {name: resized(value, before, after) for name, value in subject.uniforms.items()}
    defines = {name: resized(value, before, after) for name, value in subject.defines.items()}
    sized = dataclasses.replace(subject, uniforms=uniforms, defines=defines)
    texts = {path: resized_text(text, before, after) for path, text in files.items()}
    yield sized, files
    if texts != files:
        yield sized, texts
    if sized != subject:
        yield subject, files
