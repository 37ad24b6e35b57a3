"""Adapts what a person wrote to other shapes: shaders, sizes in uniforms, and functions of an oracle file.

A shader stays as it is, or has other sizes in it. A run decides on each guess: a number that is the size of a tensor,
or of its texture, becomes that size there. An oracle file is read, never run: its functions are extracted with their
dependencies in it.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Iterator, Mapping

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.reduce.written import FolderContents, write
from texelscope.pipeline.resizing.output_shapes import is_valid_for_functions, shapes_by_functions
from texelscope.pipeline.resizing.size_numbers import resized, resized_text
from texelscope.pipeline.resizing.subject import PassSubject


def guesses(subject: PassSubject, shapes: Mapping[str, Shape]) -> Iterator[tuple[PassSubject, dict[str, str]]]:
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

    def __init__(self, subject: PassSubject, plan: Plan) -> None:
        assert subject.oracle_file is not None
        self._functions = FunctionOracle(plan)
        known = subject.oracle_file.functions
        self._text = only(subject.oracle_file.text, [known[key] for key in subject.shader_pass.outputs if key in known])

    @property
    def keeps(self) -> str:
        """See `Making`."""
        return "on no smaller one it fails in the same way; the shader, or the function, may hold sizes."

    def is_valid(self, subject: PassSubject) -> bool:
        """Whether the subject's values are valid for the functions."""
        return is_valid_for_functions(subject, self._functions)

    def folders(self, subject: PassSubject) -> Iterator[FolderContents]:
        """See `Making`."""
        shapes = shapes_by_functions(subject, self._functions)
        for sized, files in guesses(subject, shapes):
            yield write(sized, shapes, files, self._text, None)
