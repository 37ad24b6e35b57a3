"""Defines the interface of all sources of values."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray


class ValueSource(Protocol):
    """Provides values by tensor name. `title` is its name for people."""

    title: str

    def value(self, tensor: str) -> NDArray[Any]:
        """Returns the tensor, in its logical shape. Raises TexelscopeError with the reason if the source lacks it."""
        ...
