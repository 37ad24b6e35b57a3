"""Reads JSON objects of a recording's manifest: every field is untrusted, and checked before use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import UniformValue

MAX_SIDE = 1 << 16
_MOST_NUMBERS = 1 << 12
# Letters of a name or path; a key contains the whole text of its program.
_MOST_NAME, _MOST_KEY = 400, 1 << 20
_AGAIN = "Record it again."
_SPECIAL = MappingProxyType({"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf})


@dataclass(frozen=True)
class Entry:
    """Holds a JSON object and its name in errors."""

    who: str
    found: Any

    def wrong(self, expected: str, got: str) -> TexelscopeError:
        return TexelscopeError(self.who, expected, got[:80], _AGAIN)

    def get(self, name: str) -> Any:
        if not isinstance(self.found, dict):
            raise self.wrong("an object", repr(self.found))
        return self.found.get(name)

    def entries(self, name: str) -> list[Any]:
        value = self.get(name)
        if not isinstance(value, list):
            raise self.wrong(f"a list of {name}", repr(value))
        return value

    def text(self, name: str, default: str | None = None) -> str:
        value = self.get(name)
        if value is None and default is not None:
            return default
        most = _MOST_KEY if name == "key" else _MOST_NAME
        if not isinstance(value, str) or len(value) > most:
            raise self.wrong(f"a text of up to {most} letters as '{name}'", repr(value))
        return value

    def whole(self, name: str, least: int, most: int) -> int:
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(f"a whole number from {least} to {most} as '{name}'", repr(value))
        return value

    def one_of(self, name: str, known: Sequence[str] | Mapping[str, Any]) -> str:
        value = self.get(name)
        if value not in tuple(known):
            raise TexelscopeError(self.who, f"a {name} that is known", repr(value)[:80], nearest(str(value), known))
        return str(value)

    def shape(self, name: str) -> Shape:
        value = self.get(name)
        is_shape = isinstance(value, list) and len(value) <= 8
        if not is_shape or not all(type(size) is int and 0 < size <= MAX_SIDE**2 for size in value):
            raise self.wrong("a shape of up to 8 sizes of at least 1", repr(value))
        return tuple(value)

    def numbers(self, value: Any) -> tuple[float, ...]:
        found = value if isinstance(value, list) else [value]
        if len(found) <= _MOST_NUMBERS:
            named = [_SPECIAL.get(each) if isinstance(each, str) else each for each in found]
            numbers = [
                each for each in named if isinstance(each, float) or (isinstance(each, int) and abs(each) < 1 << 63)
            ]
            if len(numbers) == len(found):
                return tuple(numbers)
        raise self.wrong(f"up to {_MOST_NUMBERS} numbers", repr(value))

    def uniform(self, name: str, value: Any) -> UniformValue:
        """Returns a number, or the numbers of a vector or array, in sequence."""
        if isinstance(value, list) and value and isinstance(value[0], list):
            value = [each for row in value for each in (row if isinstance(row, list) else [row])]
        numbers = Entry(f"{self.who} uniforms.{name}", self.found).numbers(value)
        return numbers if isinstance(value, list) else numbers[0]
