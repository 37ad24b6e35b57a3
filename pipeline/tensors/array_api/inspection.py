"""What the namespace says of itself."""

from __future__ import annotations

from typing import Any

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.tensors import Device, default_device
from texelscope.pipeline.tensors.array_api.data_types import KINDS

# A shape may have so many axes; numpy, which reads it back, has no more.
_MOST_AXES = 64


class Info:
    """What a program may ask before it computes: which types there are, and whether shapes may hang on numbers."""

    def capabilities(self) -> dict[str, Any]:
        """Masks as an index, shapes that depend on numbers, the number of axes."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _MOST_AXES}

    def default_device(self) -> Device:
        """Where tensors are for which no device is named."""
        return default_device()

    def devices(self) -> tuple[Device, ...]:
        """Those that are there without being made."""
        return (default_device(),)

    def default_dtypes(self, *, device: Device | None = None) -> dict[str, str]:
        """The types of numbers for which none is named; there are no complex ones."""
        return {"real floating": "float32", "integral": "int64", "indexing": "int64"}

    def dtypes(self, *, device: Device | None = None, kind: str | tuple[str, ...] | None = None) -> dict[str, str]:
        """The types of a kind, of several, or all. Raises TexelscopeError for a kind that there is not."""
        kinds = ("bool", "numeric") if kind is None else (kind,) if isinstance(kind, str) else kind
        for each in kinds:
            if each not in KINDS:
                raise TexelscopeError("dtypes", f"kinds: {', '.join(KINDS)}", f"'{each}'", nearest(each, [*KINDS]))
        return {name: name for each in kinds for name in KINDS[each]}
