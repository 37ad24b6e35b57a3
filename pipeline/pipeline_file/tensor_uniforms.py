"""Fills uniforms with the numbers of a model's tensor, as engines do that keep weights in arrays of uniforms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts import Layout, LayoutError, layout
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.pipeline_file.atlases import read_layout
from texelscope.pipeline.pipeline_file.table import Table

# No driver has room for more numbers in the uniforms of one program.
_MOST_NUMBERS = 1 << 18
_LINEAR = layout("linear")


@dataclass(frozen=True)
class TensorUniform:
    """Names the tensor whose numbers a uniform holds, in the order in which `layout` has them row by row."""

    tensor: str
    layout: Layout


def numbers_of(uniform: TensorUniform, constants: Mapping[str, NDArray[Any]], count: int | None) -> list[float]:
    """Returns the numbers, 0 in padding; without what lies behind the `count` that is declared, if that is padding.

    Raises TexelscopeError for a tensor that is no constant of the model, is too large, or does not fit the layout.
    """
    values = constants.get(uniform.tensor)
    if values is None:
        raise TexelscopeError(
            "the value", "a weight of the model", f"'{uniform.tensor}'", nearest(uniform.tensor, [*constants])
        )
    if values.size > _MOST_NUMBERS:
        expected, got = f"at most {_MOST_NUMBERS:,} numbers", f"'{uniform.tensor}' with {values.size:,}"
        raise TexelscopeError("the value", expected, got, "Bind it to a sampler.")
    try:
        height, width = uniform.layout.texture_shape(values.shape)
        if math.prod((height, width, uniform.layout.lanes)) > 4 * _MOST_NUMBERS:
            raise TexelscopeError("the value", "a layout with little padding", f"{width}x{height} texels", "Change it.")
        texels = uniform.layout.encode(np.asarray(values, np.float32)).ravel()
        if (
            count is not None
            and texels.size > count
            and (uniform.layout.address(values.shape).ravel()[count:] < 0).all()
        ):
            texels = texels[:count]
    except LayoutError as error:
        raise TexelscopeError("the value", error.expected, error.got, error.do_next) from error
    return [float(each) for each in texels]


def read_uniforms(table: Table, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the values of nested tables, and of arrays of tables, by the names of GLSL: `a.b`, `a[0].b`.

    A table with a `tensor` and no other key but `layout` is the value of a uniform itself.
    """
    for name, value in table.values.items():
        if isinstance(value, dict):
            inner = table.table(name)
            assert inner is not None
            if isinstance(value.get("tensor"), str) and set(value) <= {"tensor", "layout"}:
                yield (
                    prefix + name,
                    TensorUniform(value["tensor"], read_layout(inner, "layout", required=False) or _LINEAR),
                )
            else:
                yield from read_uniforms(inner, f"{prefix}{name}.")
        else:
            yield from _by_place(f"{prefix}{name}", value)


def _by_place(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for member, each in value.items():
            yield from _by_place(f"{name}.{member}", each)
    elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        for position, each in enumerate(value):
            yield from _by_place(f"{name}[{position}]", each)
    else:
        yield name, value
