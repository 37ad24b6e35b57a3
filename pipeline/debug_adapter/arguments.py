"""Takes the arguments of a request by name and type: another type is an error of the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from texelscope.layouts.outside_text import shortened
from texelscope.pipeline.errors import TexelscopeError


class Arguments:
    """The arguments of one request, or one object inside of them; `who` names it in errors."""

    def __init__(self, who: str, given: object) -> None:
        """Raises TexelscopeError for anything but an object, or nothing at all."""
        if given is not None and not isinstance(given, Mapping):
            raise _wrong(who, "an object", given)
        self._who = who
        self._given: Mapping[str, Any] = given or {}

    def text(self, name: str, default: str | None = None) -> str:
        """Returns a string; without a `default` it must be there."""
        value = self._value(name, default)
        if not isinstance(value, str):
            raise _wrong(self._who, f"a string '{name}'", value)
        return value

    def number(self, name: str, default: int | None = None) -> int:
        """Returns a whole number; without a `default` it must be there."""
        value = self._value(name, default)
        if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:  # Lua and Lisp write 3.0
            return int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(self._who, f"a whole number '{name}'", value)
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """Returns true or false."""
        value = self._value(name, default)
        if not isinstance(value, bool):
            raise _wrong(self._who, f"true or false as '{name}'", value)
        return value

    def inner(self, name: str) -> Arguments:
        """Returns the object of that name; an empty one if there is none."""
        return Arguments(f"'{name}' of {self._who}", self._given.get(name))

    def several(self, name: str) -> tuple[Arguments, ...]:
        """Returns the objects of a list; none without a list."""
        return tuple(Arguments(f"'{name}' of {self._who}", each) for each in self._list(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Returns the strings of a list; none without a list."""
        values = self._list(name)
        for each in values:
            if not isinstance(each, str):
                raise _wrong(self._who, f"strings in '{name}'", each)
        return tuple(values)

    @property
    def mapping(self) -> Mapping[str, Any]:
        """All of them."""
        return self._given

    def _value(self, name: str, default: object) -> object:
        value = self._given.get(name)
        return default if value is None and default is not None else value

    def _list(self, name: str) -> Sequence[Any]:
        value = self._given.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise _wrong(self._who, f"a list '{name}'", value)
        return value


def _wrong(who: str, expected: str, got: object) -> TexelscopeError:
    shown = "none" if got is None else shortened(repr(got), 60)
    return TexelscopeError(who, expected, shown, "Correct the client.")
