"""Which layout a tensor of a plan is stored in, and why: the one that was asked for, or what suits its shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from texelscope import layouts
from texelscope.layouts.base import Layout
from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.target import AUTO

_PICTURE_AXES = 4
_PICTURES, _FLAT, _ONE_LANE = "channel_tiles_rgba", "row_major_rgba", "channel_tiles"


@dataclass(frozen=True)
class LayoutChoice:
    """A layout, and why in a few words; `is_other` where it is not the one that a person asked for."""

    layout: Layout
    reason: str
    is_other: bool = False


def choose(shape: Shape, asked: str, limits: Limits, *, is_filter: bool = False, turns: int = 1) -> LayoutChoice | None:
    """The layout of a tensor of that logical shape; None where no layout's texture is within the limits.

    `asked` is the name of a layout, which is kept to wherever the tensor fits, or `pipeline.target.AUTO`. Weights of a
    convolution (`is_filter`) take the layout that is made for them beside it. `turns` is how often the loops turn for
    one element of what a pass computes: where four of them in one fragment are more than a driver allows, AUTO takes
    one element a texel. Raises LayoutError for a name that no layout has.
    """
    if asked == AUTO:
        fitting = (each for each in _by_shape(shape, is_filter, limits, turns) if _fits(shape, each.layout, limits))
        return next(fitting, None)
    named = layouts.layout(asked)
    preferred = named.for_filters if is_filter else named
    if _fits(shape, preferred, limits):
        made_for = f"made for weights of a convolution beside {asked}"
        return LayoutChoice(preferred, "asked for" if preferred == named else made_for)
    height, width = preferred.texture_shape(shape)
    reason = f"in {preferred.name} it needs {width}x{height} texels, more than {limits.max_texture_texels} a side"
    other = next((each for each in _near_squares_first() if _fits(shape, each, limits)), None)
    return LayoutChoice(other, reason, is_other=True) if other is not None else None


def names() -> tuple[str, ...]:
    """What can be asked for: AUTO, then every layout in alphabetical order."""
    return (AUTO, *layouts.all_layouts())


def preferred_name(shape: Shape, asked: str) -> str:
    """The layout that a tensor of that shape would take if textures had no limit."""
    return asked if asked != AUTO else _PICTURES if len(shape) == _PICTURE_AXES else _FLAT


def _by_shape(shape: Shape, is_filter: bool, limits: Limits, turns: int) -> Iterator[LayoutChoice]:  # noqa: FBT001
    """What AUTO takes, best first; see docs/decisions/layout-auto.md for the measurements behind it."""
    pictures, flat, one_lane = (layouts.layout(name) for name in (_PICTURES, _FLAT, _ONE_LANE))
    if turns * pictures.lanes > limits.max_loop_turns:
        reason = f"one element a texel: for four its loops would turn more than {limits.max_loop_turns} times"
        yield LayoutChoice(one_lane, reason)
        yield from (LayoutChoice(each, reason) for each in _near_squares_first() if each.lanes == 1)
    if len(shape) == _PICTURE_AXES:
        weights = "weights of a convolution: a texel holds four input channels of one tap"
        yield LayoutChoice(pictures, weights if is_filter else "N, C, H, W: a texel holds four channels of one place")
        height, width = pictures.texture_shape(shape)
        yield LayoutChoice(flat, f"as tiles it would need {width}x{height} texels: its elements in rows, four a texel")
    yield LayoutChoice(flat, "not N, C, H, W: its elements in rows, four a texel")
    yield from (LayoutChoice(each, "the first that fits a texture") for each in _near_squares_first())


def _near_squares_first() -> list[Layout]:
    """All layouts, those first whose textures are near squares."""
    return sorted((layouts.layout(name) for name in layouts.all_layouts()), key=lambda each: not each.near_square)


def _fits(shape: Shape, layout: Layout, limits: Limits) -> bool:
    return max(layout.texture_shape(shape)) <= limits.max_texture_texels
