"""Dimensions that a model leaves free: settled by name where the user gave some, the others asked for in one message.

What is shown to be typed is a guess, from the names of dimensions and from how the known ones lie.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import onnx

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape

# Sizes by the name of a dimension; the first pattern that is found counts.
_BATCH = re.compile(r"^(n|b|bs)$")
_BY_NAME = (
    (_BATCH, 1),
    (re.compile("batch"), 1),
    (re.compile(r"^c$|channel"), 3),
    (re.compile(r"^(h|w|y|x)$|height|width|rows|col"), 224),
    (re.compile(r"^(l|s|t)$|seq|len|token|time|frame|step"), 16),
)
_PLANES = (1, 3, 4)
_SIDE, _LENGTH, _CHANNELS = 224, 16, 3


@dataclass(frozen=True)
class DeclaredInput:
    """An input as a model declares it: `sizes` by axis, None where free, with the free ones' `names`.

    `sizes` is None for an input without any shape. `channels_last` says that the model turns it from NHWC itself.
    """

    name: str
    sizes: tuple[int | None, ...] | None
    names: tuple[str, ...] = ()
    channels_last: bool = False

    @property
    def is_free(self) -> bool:
        """Whether a size is missing."""
        return self.sizes is None or None in self.sizes

    def __str__(self) -> str:
        if self.sizes is None:
            return "none"
        shown = (name or "?" if size is None else str(size) for size, name in zip(self.sizes, self.names, strict=True))
        return f"[{','.join(shown)}]"


def declared(value: onnx.ValueInfoProto, nodes: Collection[onnx.NodeProto] = ()) -> DeclaredInput:
    """What the model says of one of its inputs; `nodes` are those that may read it.

    A size of 0 or -1 is what it says: whether that means free is the caller's to judge.
    """
    tensor_type = value.type.tensor_type
    if not tensor_type.HasField("shape"):
        return DeclaredInput(value.name, None)
    dims = tensor_type.shape.dim
    return DeclaredInput(
        value.name,
        tuple(d.dim_value if d.HasField("dim_value") else None for d in dims),
        tuple(d.dim_param for d in dims),
        any(_turns_channels_first(node, value.name) for node in nodes),
    )


def settled(inputs: Sequence[DeclaredInput], given: Mapping[str, Shape]) -> dict[str, Shape]:
    """Shapes of the inputs whose free dimensions all have names that `given` shapes of others say the sizes of."""
    sizes = sizes_by_name(inputs, given)
    found = {}
    for each in inputs:
        if each.sizes is None or not each.is_free or each.name in given:
            continue
        shape = [sizes.get(name) if size is None else size for size, name in zip(each.sizes, each.names, strict=True)]
        if None not in shape:
            found[each.name] = tuple(size for size in shape if size is not None)
    return found


def sizes_by_name(inputs: Sequence[DeclaredInput], given: Mapping[str, Shape]) -> dict[str, int]:
    """Sizes of named dimensions, from the shapes that inputs were given; the first of two that disagree."""
    sizes: dict[str, int] = {}
    for each in inputs:
        shape = given.get(each.name, ())
        for name, size, was in zip(each.names, shape, each.sizes or (), strict=False):
            if name and was is None:
                sizes.setdefault(name, size)
    return sizes


def asking(inputs: Sequence[DeclaredInput], sizes: Mapping[str, int], model: str) -> TexelscopeError:
    """The error that asks for the shapes of `inputs`, all of them free, with words that can be pasted.

    `sizes` are those of named dimensions that are known already.
    """
    words = " ".join(shape_word(each.name, guess(each, sizes)) for each in inputs)
    if len(inputs) == 1:
        return TexelscopeError(
            f"input '{inputs[0].name}' ({model})",
            "a shape without free dimensions",
            str(inputs[0]),
            f"Give one, such as {words}",
        )
    listed = ", ".join(f"'{each.name}' {each}" for each in inputs)
    return TexelscopeError(model, "inputs without free dimensions", listed, f"Give their shapes, such as {words}")


def shape_word(name: str, shape: Shape) -> str:
    """What to type for a shape, quoted for a shell where the name needs it."""
    return "--shape " + shlex.quote(f"{name}={','.join(map(str, shape))}")


def guess(each: DeclaredInput, sizes: Mapping[str, int] | None = None) -> Shape:
    """A shape that the input could have; `sizes` are those of named dimensions that are known already."""
    if each.sizes is None:
        return (1, _CHANNELS, _SIDE, _SIDE)
    usual = _usual(each)
    shape = []
    for axis, (size, name, typical) in enumerate(zip(each.sizes, each.names, usual, strict=True)):
        if size is not None and size > 0:
            shape.append(size)
        else:
            shape.append((sizes or {}).get(name) or _named(name, axis) or typical)
    return tuple(shape)


def _named(name: str, axis: int) -> int | None:
    """What the name of a dimension says; a bare letter for a batch says it of the first axis alone."""
    lowered = name.lower()
    if axis > 0 and _BATCH.search(lowered):
        return None
    return next((size for pattern, size in _BY_NAME if pattern.search(lowered)), None)


def _usual(each: DeclaredInput) -> Sequence[int]:
    """Typical sizes by axis, from how many there are and where few channels stand."""
    sizes = [size or 0 for size in each.sizes or ()]
    rank = len(sizes)
    last, second = (sizes[-1] in _PLANES, sizes[1] in _PLANES) if rank > 2 else (False, False)
    if rank == 3 and last and not sizes[0] and not sizes[1]:
        return (_SIDE, _SIDE, _CHANNELS)
    if rank == 3:
        return (1, _LENGTH, _LENGTH)
    if rank in (4, 5):
        depth = (_LENGTH,) * (rank - 4)
        if each.channels_last or (last and not second) or _named(each.names[1], 1) == _SIDE:
            side = _known(sizes[1:-1])
            return (1, *depth, side, side, _CHANNELS)
        side = _known(sizes[2:])
        return (1, _CHANNELS, *depth, side, side)
    return (1, *(_LENGTH,) * (rank - 1))


def _known(sides: Sequence[int]) -> int:
    """One side where it is known, as pictures are mostly square."""
    return next((side for side in sides if side > 0), _SIDE)


def _turns_channels_first(node: onnx.NodeProto, name: str) -> bool:
    if node.op_type != "Transpose" or list(node.input) != [name]:
        return False
    return any(attribute.name == "perm" and list(attribute.ints) == [0, 3, 1, 2] for attribute in node.attribute)
