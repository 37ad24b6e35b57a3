"""Guesses the value of a uniform by its name and type: a table of rules, tried in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from texelscope.pipeline.draft.names import words
from texelscope.pipeline.draft.node_numbers import NodeNumbers

# By sampler, the tensor that it reads; and the tensor that the pass writes.
Bound = Mapping[str, str]


# A value, an expression or a list of them, and why it is likely.
Guess = tuple[str | float | list[str] | list[float], str]


@dataclass(frozen=True)
class UniformPlace:
    """What a rule may look at: a uniform's name and type, what the pass reads by sampler, and what it writes.

    `sizes_of_tiles` says that sizes are those of a tile, and `volume_lanes` how many channels a slice has where the
    pass has images of three dimensions (else 0): their sizes go by slices.
    """

    name: str
    type: str
    reads: Bound
    output: str
    sizes_of_tiles: bool = False
    volume_lanes: int = 0
    numbers: NodeNumbers = field(default_factory=lambda: MappingProxyType({}))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the uniform's name; of a member, of the member alone."""
        return words(self.name.rpartition(".")[2])

    @property
    def tensor(self) -> str:
        """The tensor that the name is about: what is read by a sampler it names, the first input, or the output."""
        own = set(words(self.name))  # `u_input.size` is about the input
        for sampler, tensor in self.reads.items():
            if own & (set(words(sampler)) - _COMMON):
                return tensor
        if own & _OF_INPUT and self.reads:
            return next(iter(self.reads.values()))
        return self.output

    @property
    def count(self) -> int:
        """Numbers in the type: 2 of `ivec2`."""
        return int(self.type[-1]) if self.type[-1:] in "234" and "vec" in self.type else 1


# Words that name the kind of a thing rather than the thing.
_COMMON = frozenset({"size", "texture", "tex", "map", "sampler", "image", "data", "buffer", "u", "t"})
_OF_INPUT = frozenset({"input", "inputs", "in", "src", "source", "texture", "tex", "image", "img", "from"})
_SIZES = frozenset({"size", "dim", "dims", "dimensions", "resolution", "res", "viewport", "shape", "extent"})
_TEXELS = frozenset({"texel", "texels", "pixel", "px", "inv", "inverse", "rcp", "step", "pt", "onepixel"})
_GRIDS = frozenset({"grid", "tiles", "filters", "columns", "cols", "num", "tile"})
_NODE_WORDS = {
    "stride": {"stride", "strides"}, "pad": {"pad", "pads", "padding"},
    "dilation": {"dilate", "dilation", "dilations", "dilates"}, "kernel": {"kernel", "filter", "window", "ksize"},
    "slope": {"slope", "alpha", "leak"}, "epsilon": {"epsilon", "eps"},
}  # fmt: skip
_OF_A_KERNEL = frozenset({"size", "shape", "w", "h", "x", "y", "width", "height", "ksize"})
_SIDES = {
    "width": "w", "w": "w", "cols": "w", "height": "h", "h": "h", "rows": "h", "channels": "c", "depth": "c",
    "c": "c", "planes": "c", "batch": "n", "batches": "n",
}  # fmt: skip


def _of_nodes(place: UniformPlace) -> Guess | None:
    """Returns a number of the model's nodes: a stride, a pad, a dilation, a side of the kernel, a slope."""
    own = set(place.words)
    meanings = [meaning for meaning, names in _NODE_WORDS.items() if own & names]
    if len(meanings) != 1 or meanings[0] not in place.numbers or (meanings[0] == "kernel" and not own & _OF_A_KERNEL):
        return None
    numbers, reason = place.numbers[meanings[0]], f"'{place.name}' is the {meanings[0]} of the model's node"
    if place.count == len(numbers):
        return (numbers[0] if len(numbers) == 1 else [*numbers]), reason
    if place.count == 1:
        side = 1 if own & {"h", "height", "y"} else 0
        is_clear = len(set(numbers)) == 1 or own & {"w", "width", "x", "h", "height", "y"}
        return (numbers[side], reason) if is_clear else None
    return ([numbers[0]] * place.count, reason) if len(numbers) == 1 else None


def _texel_size(place: UniformPlace) -> Guess | None:
    if not _TEXELS & set(place.words) or place.count != 2:
        return None
    about = place.tensor if place.tensor != place.output else next(iter(place.reads.values()), place.output)
    return f"texel_size({_quoted(about)})", f"'{place.name}' is one texel of {about}"


def _grid(place: UniformPlace) -> Guess | None:
    if not _GRIDS & set(place.words) or place.count != 2:
        return None
    return f"grid({_quoted(place.tensor)})", f"'{place.name}' counts the tiles of {place.tensor}"


def _size(place: UniformPlace) -> Guess | None:
    if not _SIZES & set(place.words):
        return None
    tensor = place.tensor
    if place.count == 2 and place.sizes_of_tiles:
        name = _quoted(tensor)
        return f"size({name}) / grid({name})", f"'{place.name}' is the size of a tile of {tensor}"
    if place.count == 2:
        return f"size({_quoted(tensor)})", f"'{place.name}' is the size of {tensor} in texels"
    if place.count in (3, 4) and place.volume_lanes:
        return _volume_size(place, _quoted(tensor)), f"'{place.name}' is the width, height and slices of {tensor}"
    if place.count == 4:
        return f"shape({_quoted(tensor)})", f"'{place.name}' is the shape of {tensor}"
    return None


def _volume_size(place: UniformPlace, tensor: str) -> list[str]:
    sides = [f"shape({tensor}).{side}" for side in ("w", "h", "c", "n")]
    sides[2] += f" / {place.volume_lanes}"
    return sides[: place.count]


def _side(place: UniformPlace) -> Guess | None:
    sides = [_SIDES[word] for word in place.words if word in _SIDES]
    if place.count != 1 or len(set(sides)) != 1 or place.type not in ("int", "uint", "float"):
        return None
    side = f"shape({_quoted(place.tensor)}).{sides[0]}"
    if sides[0] == "c" and place.words[-1] == "4":
        return f"{side} / 4", f"'{place.name}' counts groups of four channels of {place.tensor}"
    return side, f"'{place.name}' is a side of {place.tensor}"


def _clock(place: UniformPlace) -> Guess | None:
    own = set(place.words)
    if place.count == 1 and own & {"frame", "frames", "iteration", "tick"}:
        return "frame", f"'{place.name}' counts frames"
    if place.count == 1 and place.type == "float" and own & {"time", "seconds", "clock"}:
        return "time", f"'{place.name}' is a time"
    return ("mouse", "it is the mouse") if place.count == 4 and own & {"mouse", "pointer"} else None


def _element_count(place: UniformPlace) -> Guess | None:
    if place.count != 1 or not {"count", "length", "numel", "total", "elements"} & set(place.words):
        return None
    return f"count({_quoted(place.tensor)})", f"'{place.name}' counts the elements of {place.tensor}"


def _packing(place: UniformPlace) -> Guess | None:
    """Returns the scale and the zero point of values that are stored as they are."""
    if place.count != 2 or not {"scale", "zero"} <= set(place.words):
        return None
    return [1.0, 0.0], f"'{place.name}' is a scale and a zero point, and values are stored as they are"


_RULES: Sequence[Callable[[UniformPlace], Guess | None]] = (
    _of_nodes, _packing, _texel_size, _grid, _size, _side, _element_count, _clock,
)  # fmt: skip


def guessed_value(place: UniformPlace) -> Guess | None:
    """Returns a likely expression and the reason for it; None where no rule knows the name."""
    return next((found for rule in _RULES if (found := rule(place)) is not None), None)


def _quoted(tensor: str) -> str:
    return tensor if tensor.replace("_", "a").isalnum() and tensor.isascii() else f'"{tensor}"'
