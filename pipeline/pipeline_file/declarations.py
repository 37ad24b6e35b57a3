"""Finds the uniforms and samplers that a shader declares, in its text, without a driver.

Conditional compilation is ignored: a declaration in either branch counts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.macros import without_inactive_branches
from texelscope.pipeline.glsl.resources import named_numbers, plain_number
from texelscope.pipeline.glsl.semantics.variables import trailing_qualifiers, variables_in, words_in
from texelscope.pipeline.glsl.source_text import is_es, without_comments

Kind = str  # "float", "int", "uint" or "bool"

# Every repetition is limited, so that a text of nothing but beginnings is read in time linear in its length.
_UNIFORM = re.compile(r"\buniform\s[^;{}]{1,1999}+;")
# An output of a shader; a function's parameter stands in brackets.
_OUTPUT = re.compile(r"\bout\s[^;{}(),=]{1,300}+;")
# How far before `uniform` its qualifiers may begin.
_BEFORE = 400
_SAMPLER_PRECISION = re.compile(r"\bprecision\s+(?:highp|mediump|lowp)\s+sampler2D\s*;")
_PRECISIONS = frozenset({"highp", "mediump", "lowp"})
_VECTOR = re.compile(r"^(?P<kind>[iub]?)vec(?P<length>[234])$")
_MATRIX = re.compile(r"^mat(?P<columns>[234])(?:x(?P<rows>[234]))?$")
_WHOLE = ("int", "ivec", "uint", "uvec")
_KINDS = {"": "float", "i": "int", "u": "uint", "b": "bool"}

_AS_ANOTHER = "Read the tensor through a sampler2D, sampler2DArray, sampler3D or samplerBuffer, of floats or integers"
# What a shader may declare and no pipeline file can fill, with what to do instead.
_UNFILLED: Mapping[str, str] = {
    **{
        f"{kind}sampler{form}": f"{_AS_ANOTHER}."
        for kind in ("", "i", "u")
        for form in ("1DArray", "Cube", "CubeArray", "2DMS", "2DMSArray", "2DRect")
    },
    **{
        f"{kind}sampler1D": f"{_AS_ANOTHER}, or in a compute shader bind it by 'images', with its size."
        for kind in ("", "i", "u")
    },
    **{
        f"sampler{form}Shadow": f"{_AS_ANOTHER}."
        for form in ("1D", "2D", "2DRect", "1DArray", "2DArray", "Cube", "CubeArray")
    },
    "samplerExternalOES": f"{_AS_ANOTHER}.",
    "atomic_uint": "Count in a storage block with atomicAdd.",
}


@dataclass(frozen=True)
class Uniform:
    """Describes a declared uniform: type, array length (None unless a plain number), mentions of its name.

    Of a member of a block, `driver_name` is OpenGL's name, and `block_name` the name that begins with the block's.
    """

    name: str
    type: str
    array_count: int | None
    line: int
    mentions: int
    has_precision: bool
    driver_name: str = ""
    block_name: str = ""
    is_array: bool = False

    @property
    def in_driver(self) -> str:
        """OpenGL's name."""
        return self.driver_name or self.name

    @property
    def unfilled(self) -> str:
        """What to do instead where no file can fill this type; empty for any other."""
        return _UNFILLED.get(self.type, "")

    @property
    def is_sampler(self) -> bool:
        """Whether it is bound to a texture."""
        return "sampler" in self.type or "image" in self.type

    @property
    def kind(self) -> Kind | None:
        """`float`, `int`, `uint` or `bool`; None for a type that a pipeline file cannot set."""
        if self.type in _KINDS.values():
            return self.type
        vector = _VECTOR.match(self.type)
        if vector is not None:
            return _KINDS[vector["kind"]]
        return "float" if _MATRIX.match(self.type) else None

    @property
    def component_count(self) -> int:
        """Numbers in one element."""
        vector, matrix = _VECTOR.match(self.type), _MATRIX.match(self.type)
        if vector is not None:
            return int(vector["length"])
        if matrix is not None:
            return int(matrix["columns"]) * int(matrix["rows"] or matrix["columns"])
        return 1

    @property
    def number_count(self) -> int | None:
        """Numbers in all elements; None for a type that no file can set, or an array of unknown length."""
        if self.kind is None or self.array_count is None:
            return None
        return self.component_count * self.array_count


@lru_cache(maxsize=8)
def uniforms_of(text: str) -> Mapping[str, Uniform]:
    """Returns the uniforms declared in a shader's text (with its includes), by name."""
    bare = without_comments(text)
    words, number = _word_counts(bare), partial(plain_number, numbers=named_numbers(bare))
    found: dict[str, Uniform] = {}
    line, counted = 1, 0
    for match in _UNIFORM.finditer(bare):
        line, counted = line + bare.count("\n", counted, match.start()), match.start()
        before = trailing_qualifiers(words_in(bare[_after_the_last(bare, match.start()) : match.start()]))
        for each in variables_in([*before, *words_in(match[0])]):
            has_precision = not _PRECISIONS.isdisjoint(each.qualifiers)
            found[each.name] = Uniform(
                each.name, each.type, element_count(each.sizes, number), line, words[each.name], has_precision,
                is_array=bool(each.sizes),
            )  # fmt: skip
    return found


def _after_the_last(bare: str, position: int) -> int:
    """Returns where the declaration that goes on at `position` may begin."""
    first = max(position - _BEFORE, 0)
    return max(bare.rfind(";", first, position) + 1, first)


@dataclass(frozen=True)
class WholeOutput:
    """Describes an output of whole numbers of a fragment shader, and its line."""

    name: str
    type: str
    line: int


def whole_outputs(text: str) -> tuple[WholeOutput, ...]:
    """Returns the outputs of whole numbers that a fragment shader declares where compilers read it, and writes."""
    bare = without_comments(without_inactive_branches(text))
    words = _word_counts(bare)
    found, line, counted = [], 1, 0
    for match in _OUTPUT.finditer(bare):
        line, counted = line + bare.count("\n", counted, match.start()), match.start()
        for each in variables_in(words_in(match[0])):
            if each.type.startswith(_WHOLE) and words[each.name] > 1:
                found.append(WholeOutput(each.name, each.type, line))
    return tuple(found)


def _word_counts(bare: str) -> Counter[str]:
    return Counter(re.findall(r"[A-Za-z_]\w*", bare))


@lru_cache(maxsize=8)
def lowp_samplers(text: str) -> tuple[Uniform, ...]:
    """Returns the samplers of a GLSL ES shader without a precision: they are lowp (GLSL ES 3.00, 4.5.4)."""
    if not is_es(text) or _SAMPLER_PRECISION.search(without_comments(text)):
        return ()
    return tuple(
        uniform for uniform in uniforms_of(text).values() if uniform.type == "sampler2D" and not uniform.has_precision
    )


def element_count(sizes: Sequence[str], number: Callable[[str], int | None] = whole_number) -> int | None:
    """Returns the elements of an array of these sizes, 1 of none; None where `number` does not know one."""
    numbers = [number(size) for size in sizes]
    return None if None in numbers else math.prod(each for each in numbers if each is not None)
