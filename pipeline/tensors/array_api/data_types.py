"""Describes the namespace and its element types: devices and capabilities, names, promotion, and ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.plan import EXACT_INTEGERS
from texelscope.pipeline.tensors import Device, Tensor, apply, default_device
from texelscope.pipeline.tensors.types import cast, later_of, type_called

# The types of tensors, by what the standard calls a kind.
KINDS = {
    "bool": ("bool",),
    "signed integer": ("int32", "int64"),
    "unsigned integer": (),
    "integral": ("int32", "int64"),
    "real floating": ("float32",),
    "complex floating": (),
    "numeric": ("int32", "int64", "float32"),
}


@dataclass(frozen=True)
class FloatInfo:
    """Gives the range of a type of real numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: str


@dataclass(frozen=True)
class IntInfo:
    """Gives the range of a type of whole numbers: a texture keeps those up to 2²⁴ whatever the type."""

    bits: int
    max: int
    min: int
    dtype: str


def astype(x: Tensor, dtype: str, /, *, copy: bool = True, device: Device | None = None) -> Tensor:
    """Converts `x` to another type, a copy of it unless `copy` is False and nothing changes."""
    made = cast(x if device is None else x.to_device(device), dtype)
    return apply("Identity", made) if copy and made is x else made


def can_cast(from_: str | Tensor, to: str, /) -> bool:
    """Whether promotion turns the one type into the other; the standard leaves types of two kinds open."""
    before, after = _type_of(from_), type_called(to)
    return before == after or (before, after) == ("int32", "int64")


def finfo(type: str | Tensor, /) -> FloatInfo:
    """Returns the range of a type of real numbers. Raises TexelscopeError for another one."""
    name = _checked("finfo", _type_of(type), "real floating")
    found = np.finfo(name)
    eps, most, least, smallest = (float(each) for each in (found.eps, found.max, found.min, found.smallest_normal))
    return FloatInfo(found.bits, eps, most, least, smallest, name)


def iinfo(type: str | Tensor, /) -> IntInfo:
    """Returns the range of a type of whole numbers. Raises TexelscopeError for another one."""
    name = _checked("iinfo", _type_of(type), "integral")
    return IntInfo(np.iinfo(name).bits, EXACT_INTEGERS, -EXACT_INTEGERS, name)


def isdtype(dtype: str, kind: str | tuple[str, ...]) -> bool:
    """Whether a type is of a kind, is that type, or is one of several. Raises TexelscopeError for an unknown kind."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    return type_called(dtype) in KINDS.get(kind, ()) if kind in KINDS else type_called(dtype) == type_called(kind)


def result_type(*arrays_and_dtypes: Tensor | str | complex) -> str:
    """Returns the type that tensors, types and numbers promote to; a number takes the other's type if it fits there."""
    numbers = [each for each in arrays_and_dtypes if not isinstance(each, Tensor | str)]
    types = [_type_of(each) for each in arrays_and_dtypes if isinstance(each, Tensor | str)]
    if not types:
        raise TexelscopeError("result_type", "a tensor or a type at least", "none", "Name one.")
    return later_of([*types, *(_type_of_number(each) for each in numbers)])


def _type_of_number(value: Any) -> str:
    return "bool" if isinstance(value, bool) else "int32" if isinstance(value, int) else "float32"


def _type_of(given: str | Tensor) -> str:
    return given.dtype if isinstance(given, Tensor) else type_called(given)


def _checked(who: str, name: str, kind: str) -> str:
    if name not in KINDS[kind]:
        raise TexelscopeError(who, f"a {kind} type: {', '.join(KINDS[kind])}", name, "Name one of these.")
    return name


# A shape may have so many axes; numpy, which reads it back, has no more.
_MOST_AXES = 64


class Info:
    """Answers a program's questions: which types there are, and whether shapes may depend on numbers."""

    def capabilities(self) -> dict[str, Any]:
        """Returns whether masks can be an index, whether shapes may depend on numbers, and the number of axes."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _MOST_AXES}

    def default_device(self) -> Device:
        """Returns the device of tensors for which none is named."""
        return default_device()

    def devices(self) -> tuple[Device, ...]:
        """Returns the devices that are there without being made."""
        return (default_device(),)

    def default_dtypes(self, *, device: Device | None = None) -> dict[str, str]:
        """Returns the types of numbers for which none is named; there are no complex ones."""
        return {"real floating": "float32", "integral": "int64", "indexing": "int64"}

    def dtypes(self, *, device: Device | None = None, kind: str | tuple[str, ...] | None = None) -> dict[str, str]:
        """Returns the types of a kind, of several, or all. Raises TexelscopeError for an unknown kind."""
        kinds = ("bool", "numeric") if kind is None else (kind,) if isinstance(kind, str) else kind
        for each in kinds:
            if each not in KINDS:
                raise TexelscopeError("dtypes", f"kinds: {', '.join(KINDS)}", f"'{each}'", nearest(each, [*KINDS]))
        return {name: name for each in kinds for name in KINDS[each]}
