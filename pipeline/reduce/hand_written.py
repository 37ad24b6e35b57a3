"""Adapts what a person wrote to other shapes: shaders, sizes in uniforms, and functions of an oracle file.

A shader stays as it is, or has other sizes in it. A run decides on each guess: a number that is the size of a tensor,
or of its texture, becomes that size there. An oracle file is read, never run: its functions are extracted with their
dependencies in it.
"""

from __future__ import annotations

import ast
import dataclasses
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from texelscope.layouts import Layout
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.reduce.subject import ReductionSubject
from texelscope.pipeline.reduce.written import FolderContents, write

# Smaller numbers are more often something else.
_LEAST = 5
_NUMBER = re.compile(r"(?<![\w.])(?P<whole>\d+)(?P<rest>\.0*)?(?![\w.])")

# Shape and layout of a tensor.
Stored = tuple[Shape, Layout]


def resized(value: Any, before: Sequence[Stored], after: Sequence[Stored]) -> Any:
    """Returns a uniform's raw value with new sizes; texts are expressions, which follow by themselves."""
    if isinstance(value, bool | str):
        return value
    pairs = [pair for old, new in zip(before, after, strict=True) for pair in _vectors(old, new)]
    if isinstance(value, list):
        for old, new in pairs:
            if [float(number) for number in _flat(value)] == [float(number) for number in old]:
                return list(new)
        return [resized(item, before, after) for item in value]
    numbers = size_map(before, after)
    return numbers.get(int(value), value) if value == int(value) else value


def resized_text(text: str, before: Sequence[Stored], after: Sequence[Stored]) -> str:
    """Returns a shader with its sizes replaced."""
    numbers = {old: new for old, new in size_map(before, after).items() if old >= _LEAST}

    def changed(match: re.Match[str]) -> str:
        return f"{numbers.get(int(match['whole']), int(match['whole']))}{match['rest'] or ''}"

    return _NUMBER.sub(changed, text)


def size_map(before: Sequence[Stored], after: Sequence[Stored]) -> Mapping[int, int]:
    """Maps old sizes to new ones; ambiguous ones are left out, unless the first tensor decides."""
    found: dict[int, int] = {}
    for old, new in zip(before, after, strict=True):
        here: dict[int, set[int]] = {}
        for was, now in zip(_sizes(old), _sizes(new), strict=True):
            here.setdefault(was, set()).add(now)
        for was, nows in here.items():
            if len(nows) == 1:
                found.setdefault(was, *nows)
    return {was: now for was, now in found.items() if was != now}


def _sizes(stored: Stored) -> Iterator[int]:
    shape, layout = stored
    n, c, h, w = as_nchw(shape)
    yield from (w, h, c, n, h * w, math.prod(shape), *layout.texture_shape(shape))


def _vectors(old: Stored, new: Stored) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yields sizes that stand together: width and height of picture and texture, and all four."""
    (was, was_in), (now, now_in) = old, new
    n, c, h, w = as_nchw(was)
    n_now, c_now, h_now, w_now = as_nchw(now)
    yield (w, h), (w_now, h_now)
    yield was_in.texture_shape(was)[::-1], now_in.texture_shape(now)[::-1]
    yield (n, c, h, w), (n_now, c_now, h_now, w_now)


def _flat(value: Sequence[Any]) -> Sequence[Any]:
    return value if all(isinstance(item, int | float) for item in value) else [math.nan]


def guesses(
    subject: ReductionSubject, shapes: Mapping[str, Shape]
) -> Iterator[tuple[ReductionSubject, dict[str, str]]]:
    """Yields guesses for `shapes` (by key): the subject with uniforms, and its files' texts by path."""
    keys = (*subject.shader_pass.outputs, *subject.shader_pass.reads)
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


def only(text: str, functions: Collection[str]) -> str:
    """Returns the file's text with just those functions, their callees, and the imports and constants in use."""
    statements = [each for each in ast.parse(text).body if _defined(each)]
    needed, kept = set(functions), set[int]()
    grew = True
    while grew:
        grew = False
        for position, statement in enumerate(statements):
            if position not in kept and (_defined(statement) & needed or _is_future(statement)):
                kept.add(position)
                needed |= _used(statement)
                grew = True
    lines = text.splitlines()
    parts = [_lines(lines, statements[position]) for position in sorted(kept)]
    return "\n\n".join(parts) + "\n"


def _defined(statement: ast.stmt) -> set[str]:
    """Returns the names that a statement of the file defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _used(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _lines(lines: list[str], statement: ast.stmt) -> str:
    decorated = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorated)])
    return "\n".join(lines[first - 1 : statement.end_lineno])


class OfFunctions:
    """Makes folders of a pass whose function also gives the output's shape. See `Making`."""

    def __init__(self, subject: ReductionSubject, plan: Plan) -> None:
        assert subject.oracle_file is not None
        self._functions = FunctionOracle(plan)
        known = subject.oracle_file.functions
        self._text = only(subject.oracle_file.text, [known[key] for key in subject.shader_pass.outputs if key in known])

    @property
    def keeps(self) -> str:
        """See `Making`."""
        return "on no smaller one it fails in the same way; the shader, or the function, may hold sizes."

    def is_valid(self, subject: ReductionSubject) -> bool:
        """Whether the subject's values are valid for the functions."""
        try:
            return all(size > 0 for shape in self._shapes(subject).values() for size in shape)
        except TexelscopeError:
            return False

    def folders(self, subject: ReductionSubject) -> Iterator[FolderContents]:
        """See `Making`."""
        shapes = self._shapes(subject)
        for sized, files in guesses(subject, shapes):
            yield write(sized, shapes, files, self._text, None)

    def _shapes(self, subject: ReductionSubject) -> dict[str, Shape]:
        """Returns shapes by key; those of outputs without a function follow the first's."""
        assert subject.oracle_file is not None
        shapes = {key: subject.shape(subject.stored[key].tensor) for key in subject.shader_pass.reads}
        tensors = {
            key: np.asarray(subject.values[subject.stored[key].tensor], dtype=np.float64) for key in shapes
        }  # fmt: skip
        for key in subject.shader_pass.outputs:
            if key in subject.oracle_file.functions:
                shapes[key] = tuple(self._functions.result(subject.shader_pass, key, tensors).shape)
        for key in subject.shader_pass.outputs:
            shapes.setdefault(key, shapes[subject.shader_pass.output])
        return shapes
