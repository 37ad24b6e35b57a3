"""Describes the GLSL types of the samplers through which a shader reads a tensor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

# What the numbers of a texel are, and how its texels lie.
Numbers = Literal["float", "int", "uint"]
Form = Literal["2D", "2DArray", "3D", "Buffer"]

_TYPE = re.compile(r"(?P<prefix>[iu]?)sampler(?P<form>2D|2DArray|3D|Buffer)")
_NUMBERS: dict[str, Numbers] = {"": "float", "i": "int", "u": "uint"}
_DTYPES = {"int": "int32", "uint": "uint32"}
_AXES = {"2D": 2, "2DArray": 3, "3D": 3, "Buffer": 1}


@dataclass(frozen=True)
class SamplerKind:
    """Describes a sampler type. `sampler2D` shows a tensor's texture itself, every other one a copy of its texels."""

    numbers: Numbers = "float"
    form: Form = "2D"

    def __str__(self) -> str:
        """The type as GLSL writes it."""
        prefix = next(prefix for prefix, numbers in _NUMBERS.items() if numbers == self.numbers)
        return f"{prefix}sampler{self.form}"

    @property
    def is_plain(self) -> bool:
        """Whether it is `sampler2D`."""
        return self == SAMPLER_2D

    @property
    def dtype(self) -> str:
        """The type of the whole numbers that it reads, as numpy writes it; empty for floats."""
        return _DTYPES.get(self.numbers, "")

    @property
    def has_slices(self) -> bool:
        """Whether its texels lie in slices."""
        return self.form in ("2DArray", "3D")

    @property
    def axes(self) -> int:
        """The numbers of a texel's place in it."""
        return _AXES[self.form]


SAMPLER_2D = SamplerKind()


def kind_called(type_name: str) -> SamplerKind | None:
    """Returns the kind of a GLSL type; None for a type that no tensor can be bound to."""
    found = _TYPE.fullmatch(type_name)
    return None if found is None else SamplerKind(_NUMBERS[found["prefix"]], cast(Form, found["form"]))
