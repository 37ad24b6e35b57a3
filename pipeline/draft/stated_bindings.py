"""Reads which tensors a person binds the samplers, blocks and images of a draft to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from texelscope.pipeline.draft.fields import field_parts, typed_value
from texelscope.pipeline.draft.names import plain

TABLES = ("textures", "buffers", "images")
_ARRAY_SUFFIX = ".npy"

# By pass and by the name of a sampler, block or image.
StatedBindings = Mapping[tuple[str, str], "StatedBinding"]


@dataclass(frozen=True)
class StatedBinding:
    """A tensor that a person names: `file` is the .npy file that it comes from, or empty.

    `is_whole` says that the person gave a table, with a layout or a frame, which stays as it is.
    """

    tensor: str
    file: str = ""
    is_whole: bool = False


def stated_bindings(values: Mapping[str, str]) -> StatedBindings:
    """Returns the bindings among the values of a person, by `PASS.textures.NAME` and the like."""
    found: dict[tuple[str, str], StatedBinding] = {}
    for key, text in values.items():
        table, kind, name = field_parts(key)
        binding = _binding(typed_value(text)) if kind in TABLES and name else None
        if binding is not None:
            found[table, name] = binding
    return found


def without_bindings(values: Mapping[str, str], bound: StatedBindings) -> Mapping[str, str]:
    """Returns the values without the bindings that name a tensor alone: the draft knows the rest of them."""
    return {key: text for key, text in values.items() if not _names_alone(bound, *field_parts(key))}


def _names_alone(bound: StatedBindings, table: str, kind: str, name: str) -> bool:
    found = bound.get((table, name)) if kind in TABLES else None
    return found is not None and not found.is_whole


def _binding(value: Any) -> StatedBinding | None:
    if isinstance(value, dict):
        tensor = value.get("tensor", value.get("previous"))
        return StatedBinding(tensor, is_whole=True) if isinstance(tensor, str) else None
    if not isinstance(value, str) or not value:
        return None
    if value.lower().endswith(_ARRAY_SUFFIX):
        return StatedBinding(plain(PurePosixPath(value).stem), value)
    return StatedBinding(value)
