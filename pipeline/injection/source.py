"""Where values come from: the one thing that all sources can do."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray


class ValueSource(Protocol):
    """Values by tensor name. `title` is what people call the source."""

    title: str

    def value(self, tensor: str) -> NDArray[Any]:
        """The tensor, in its logical shape. Raises TexelscopeError, which says why, if the source does not have it."""
        ...
