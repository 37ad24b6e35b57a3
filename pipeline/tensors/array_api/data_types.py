"""Element types: their names, which ones meet in which, and what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import EXACT_INTEGERS
from texelscope.pipeline.tensors import Device, Tensor, apply
from texelscope.pipeline.tensors.types import cast, later_of, type_called

# By what the standard calls a kind of types, those that tensors have.
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
    """What a type of real numbers holds."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: str


@dataclass(frozen=True)
class IntInfo:
    """What a type of whole numbers holds: a texture keeps those up to 2²⁴ whatever the type."""

    bits: int
    max: int
    min: int
    dtype: str


def astype(x: Tensor, dtype: str, /, *, copy: bool = True, device: Device | None = None) -> Tensor:
    """`x` as another type, a copy of it unless `copy` is False and nothing changes."""
    made = cast(x if device is None else x.to_device(device), dtype)
    return apply("Identity", made) if copy and made is x else made


def can_cast(from_: str | Tensor, to: str, /) -> bool:
    """Whether the one type becomes the other where they meet; the standard says nothing of types of two kinds."""
    before, after = _type_of(from_), type_called(to)
    return before == after or (before, after) == ("int32", "int64")


def finfo(type: str | Tensor, /) -> FloatInfo:
    """Of a type of real numbers. Raises TexelscopeError for another one."""
    name = _checked("finfo", _type_of(type), "real floating")
    found = np.finfo(name)
    eps, most, least, smallest = (float(each) for each in (found.eps, found.max, found.min, found.smallest_normal))
    return FloatInfo(found.bits, eps, most, least, smallest, name)


def iinfo(type: str | Tensor, /) -> IntInfo:
    """Of a type of whole numbers. Raises TexelscopeError for another one."""
    name = _checked("iinfo", _type_of(type), "integral")
    return IntInfo(np.iinfo(name).bits, EXACT_INTEGERS, -EXACT_INTEGERS, name)


def isdtype(dtype: str, kind: str | tuple[str, ...]) -> bool:
    """Whether a type is of a kind, is that type, or is one of several. Raises TexelscopeError for no kind."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    return type_called(dtype) in KINDS.get(kind, ()) if kind in KINDS else type_called(dtype) == type_called(kind)


def result_type(*arrays_and_dtypes: Tensor | str | complex) -> str:
    """The type in which tensors, types and numbers meet; a number takes the type of what it meets if it fits there."""
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
