"""Turns a subject on smaller values back into a folder: its part of the model, and its shader for these shapes.

An edit of a generated shader is carried over to the same shader for other shapes. Of three texts, the shader as
generated (`base`), as somebody edited it (`edited`), and as generated for other shapes (`other`), every token that the
edit changed is changed in `other` too. Numbers of the edit that stand for a size become that size's number there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from typing import Any, Protocol

from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import shader_text
from texelscope.pipeline.glsl.lines import without_directives
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.planning.planner import plan_graph
from texelscope.pipeline.reduce.hand_written import OfFunctions, guesses
from texelscope.pipeline.reduce.written import FolderContents, write
from texelscope.pipeline.resizing.model_part import ModelPart, is_valid_part, part_of
from texelscope.pipeline.resizing.subject import PassSubject
from texelscope.pipeline.target import AUTO

_TOKEN = re.compile(
    r"(?P<space>\s*)(?P<text>//[^\n]*|/\*.*?\*/|\d+\.?\d*(?:[eE][+-]?\d+)?[uUfF]?|\.\d+|[A-Za-z_]\w*|"
    r"<<=|>>=|[-+*/%&|^<>=!]=|\+\+|--|&&|\|\||<<|>>|.)",
    re.DOTALL,
)
_NUMBER = re.compile(r"\d+(?P<fraction>\.0*)?")
# A number of an edit this near to the one that it replaced is that size with one more, or one less.
_NEAR = 4
_LEAST_SIZE = 4
# Below this share of tokens in common a shader is no edit of the generated one.
_LEAST_ALIKE = 0.6


@dataclass(frozen=True)
class _Token:
    space: str
    text: str

    @property
    def is_comment(self) -> bool:
        return self.text.startswith(("//", "/*"))

    @property
    def number(self) -> int | None:
        return int(float(self.text)) if _NUMBER.fullmatch(self.text) else None


def is_edit(base: str, edited: str) -> bool:
    """Whether `edited` looks like an edit of `base`."""
    return _matcher(_tokens(base), _tokens(edited)).ratio() >= _LEAST_ALIKE


def carried(base: str, edited: str, other: str) -> tuple[str, ...]:
    """Yields `other` with the edit from `base` to `edited`, best guess first; nothing where it has no place there.

    The guesses differ in the numbers of the edit: as sizes of `other`, or as they were written.
    """
    if base == edited:
        return (other,)
    found = []
    for with_sizes in (True, False):
        text = _Merge(_tokens(base), _tokens(edited), _tokens(other)).text(with_sizes=with_sizes)
        if text is not None and text not in found:
            found.append(text)
    return tuple(found)


class _Merge:
    def __init__(self, base: list[_Token], edited: list[_Token], other: list[_Token]) -> None:
        self._base, self._edited, self._other = base, edited, other
        # Where each token of `base` stands in `other`, without the tokens that others replace.
        self._places: dict[int, int] = {}
        for tag, start, end, first, last in _matcher(base, other).get_opcodes():
            if tag == "equal" or (tag == "replace" and end - start == last - first):
                self._places.update(zip(range(start, end), range(first, last), strict=True))

    def text(self, *, with_sizes: bool) -> str | None:
        """Returns the merged text; None where `other` lacks what the edit changed."""
        pieces: list[_Token] = []
        done = 0
        for tag, start, end, first, last in _matcher(self._base, self._edited).get_opcodes():
            if tag == "equal":
                self._respace(start, end, first)
                continue
            place = self._place(start, end)
            if place is None or place[0] < done:
                if all(token.is_comment for token in (*self._base[start:end], *self._edited[first:last])):
                    continue
                return None
            pieces += self._other[done : place[0]]
            pieces += list(self._inserted(start, end, first, last, with_sizes=with_sizes))
            done = place[1]
        pieces += self._other[done:]
        return "".join(token.space + token.text for token in pieces)[:-1]

    def _respace(self, start: int, end: int, first: int) -> None:
        """Takes over the edit's line breaks and indents in what it keeps."""
        for position, kept in zip(range(start, end), self._edited[first:], strict=False):
            place = self._places.get(position)
            if place is not None and kept.space != self._base[position].space:
                self._other[place] = replace(self._other[place], space=kept.space)

    def _place(self, start: int, end: int) -> tuple[int, int] | None:
        """Finds the tokens of `other` that stand for base[start:end], by those around them."""
        before, after = self._places.get(start - 1, -1 if start == 0 else None), self._places.get(end)
        if end == len(self._base):
            after = len(self._other)
        if before is not None and after is not None and after - before - 1 == end - start:
            return before + 1, after
        inside = [self._places.get(position) for position in range(start, end)]
        if inside and None not in inside and inside[-1] - inside[0] == end - start - 1:  # type: ignore[operator]
            return inside[0], inside[-1] + 1  # type: ignore[operator, return-value]
        return None

    def _inserted(self, start: int, end: int, first: int, last: int, *, with_sizes: bool) -> Iterator[_Token]:
        for position, token in enumerate(self._edited[first:last]):
            number = token.number
            replaced = start + position if end - start == last - first else None
            new = self._size(number, start, replaced) if with_sizes and number is not None else None
            fraction = token.text[len(str(number)) :] if number is not None else ""
            yield token if new is None else _Token(token.space, f"{new}{fraction}")

    def _size(self, number: int, near: int, replaced: int | None) -> int | None:
        """Returns a number of the edit in `other`: by the one that it replaced, or by the nearest of the same value."""
        if replaced is not None and (was := self._base[replaced].number) is not None and replaced in self._places:
            now = self._other[self._places[replaced]].number
            if now is not None and was != now and abs(number - was) <= _NEAR:
                return max(0, now + number - was)
        for more in (0, 1, -1):  # an edit that stops at the last element writes a size less one
            found = self._nearest(number + more, near)
            if found is not None:
                return max(0, found - more) if found != number + more else None
        return None

    def _nearest(self, number: int, near: int) -> int | None:
        """Returns the nearest such number of `base` in `other`; small ones are more often counts than sizes."""
        if number < _LEAST_SIZE:
            return None
        for distance in range(max(near, len(self._base) - near) + 1):
            for position in (near - distance, near + distance):
                if 0 <= position < len(self._base) and self._base[position].number == number:
                    place = self._places.get(position)
                    return self._other[place].number if place is not None else None
        return None


def _tokens(text: str) -> list[_Token]:
    return [_Token(match["space"], match["text"]) for match in _TOKEN.finditer(text + "\n")]


def _matcher(first: Sequence[_Token], second: Sequence[_Token]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, [each.text for each in first], [each.text for each in second], autojunk=False)


class Making(Protocol):
    """Turns the subjects of one pass into folders."""

    @property
    def keeps(self) -> str:
        """Says why its shapes may have to stay as they are."""

    def is_valid(self, subject: PassSubject) -> bool:
        """Whether the subject's shapes are valid for the oracle and the shader."""

    def folders(self, subject: PassSubject) -> Iterator[FolderContents]:
        """Yields a subject's folders, the best guess of its shader first. Raises TexelscopeError if shapes disagree."""


class OfModel:
    """Turns passes with a model into folders; their shaders are generated, edited, or written by hand."""

    def __init__(self, subject: PassSubject) -> None:
        """Raises TexelscopeError for a pass that cannot stand alone."""
        # A shader that was replaced in the session is an edit of the compiled text, any other of the readable one.
        replaced = subject.program.fragment != subject.shader_pass.program.fragment
        self._generate = partial(_generated, as_compiled=replaced and subject.shader is None)
        self._base = self._generate(subject, part_of(subject))
        base = self._base[0] if self._base is not None else ""
        if replaced:
            self._edited = without_directives(subject.program.fragment)
        else:
            self._edited = subject.program.files[0].text if subject.shader is not None else base
        self.is_generated = bool(base) and is_edit(base, self._edited)

    @property
    def keeps(self) -> str:
        """See `Making`."""
        if self.is_generated:
            return "on no smaller one it fails in the same way."
        return "the shader was written by hand, and on no smaller shape it fails in the same way; it may hold sizes."

    def is_valid(self, subject: PassSubject) -> bool:
        """Whether the part of the model can be evaluated on the subject's values, and has a shader."""
        return is_valid_part(subject, lambda part: not self.is_generated or self._generate(subject, part) is not None)

    def folders(self, subject: PassSubject) -> Iterator[FolderContents]:
        """See `Making`."""
        part = part_of(subject)
        if not self.is_generated:
            for sized, files in guesses(subject, part.shapes):
                yield write(sized, part.shapes, files, part.message, part.graph, derived=part.derived)
            return
        assert self._base is not None
        made = self._generate(subject, part)
        if made is None:
            return
        name = _shader_name(subject)
        for text in carried(self._base[0], self._edited, made[0]):
            yield write(subject, part.shapes, {name: text}, part.message, part.graph, made[1], part.derived)


def _shader_name(subject: PassSubject) -> str:
    return subject.shader if subject.shader is not None else "shader.frag"


def _generated(
    subject: PassSubject, part: ModelPart, *, as_compiled: bool
) -> tuple[str, Mapping[str, NDArray[Any]]] | None:
    """Generates the shader of the part, with the tables that it reads; returns None if there is none."""
    if len(subject.nodes) != 1 or len(subject.shader_pass.outputs) != 1:
        return None
    output = subject.stored[subject.shader_pass.output]
    for layout in (output.layout.name, AUTO):
        try:
            plan = plan_graph(part.graph, layout=layout, precision=output.storage)
        except (TexelscopeError, AssertionError):
            continue
        each = next((each for each in plan.passes if plan.textures[each.output].tensor == output.tensor), None)
        if each is not None and _alike(subject, plan, each):
            break
    else:
        return None
    own = set(each.reads)
    tables = {
        stored.tensor: value
        for key, stored in plan.textures.items()
        if key in own and stored.tensor not in part.graph.constants and stored.role == "constant"
        and (value := plan.constant(stored.tensor)) is not None
    }  # fmt: skip
    return without_directives(each.program.fragment) if as_compiled else shader_text(each, plan), tables


def _alike(subject: PassSubject, plan: Plan, shader_pass: Pass) -> bool:
    """Whether the planned pass reads and writes as the subject does."""
    bound = {name: subject.stored[key] for name, key in subject.shader_pass.bound_reads}
    planned = {name: plan.textures[key] for name, key in shader_pass.bound_reads}
    return all(
        name in bound and bound[name].layout == stored.layout and bound[name].tensor == stored.tensor
        for name, stored in planned.items()
    )


def making_of(subject: PassSubject, plan: Plan) -> Making:
    """Returns the way to make folders of a subject of the plan. Raises TexelscopeError if it cannot stand alone."""
    if subject.oracle_file is not None and subject.shader_pass.output in subject.oracle_file.functions:
        return OfFunctions(subject, plan)
    if not subject.nodes:
        raise TexelscopeError(
            f"pass '{subject.name}'", "a part of a model that it stands for", "none", "Name its 'oracle' in the file."
        )
    return OfModel(subject)
