"""Compares a shader's layers with a model's: structure first, then every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.network.network import Network
from texelscope.pipeline.dialects.mpv.weights.layer import KERAS, WeightLayer, constants_of, layers_in, layers_of
from texelscope.pipeline.errors import one_line

# Literals have at least six digits; numbers that are closer are equal.
_RELATIVE, _ABSOLUTE = 1e-6, 1e-9


@dataclass(frozen=True)
class WeightDifference:
    """Describes the first differing number of a layer: its index, its line in the shader, and how many differ."""

    layer: str
    element: str
    line: int
    here: float
    there: float
    theirs: str
    count: int
    of: int


@dataclass(frozen=True)
class WeightComparison:
    """Holds the compared `layers`, with `numbers` in all; the first difference, and how many later layers differ.

    `structure` says where the two are built differently, after which nothing is compared; empty if nowhere.
    """

    file: str
    other: str
    layers: int
    numbers: int
    difference: WeightDifference | None = None
    further: int = 0
    structure: str = ""

    @property
    def is_same(self) -> bool:
        """Whether both numbers and structure are the same."""
        return self.difference is None and not self.structure

    def text(self) -> str:
        """Formats the comparison for a terminal."""
        lines = []
        if self.difference is not None:
            each = self.difference
            others = f"{self.further} of the layers after it" if self.further else "none of the layers after it"
            lines.append(
                f"{each.layer}: {each.element} is {each.here:.9g} ({self.file}:{each.line}), in {self.other} "
                f"('{each.theirs}') {each.there:.9g}; {each.count} of the layer's {each.of} numbers differ, and "
                f"{others}."
            )
        if self.structure:
            lines.append(self.structure)
        if not lines:
            lines.append(f"All {self.numbers} weights of {self.layers} layers equal those of {self.other}.")
        return "\n".join(map(one_line, lines))


def compared(network: Network, model: Path) -> WeightComparison:
    """Compares the network's weights with a model's: by name if the model came from such a shader, by order otherwise.

    Raises TexelscopeError for a model that cannot be read.
    """
    if model.suffix.lower() not in KERAS:
        constants = constants_of(model)
        if network.lines.keys() <= constants.keys():
            return _by_name(network, model.name, constants)
    return _by_order(network, layers_in(model), model.name)


def differs(here: NDArray[Any], there: NDArray[Any]) -> NDArray[np.bool_]:
    """Masks the numbers of a shader that differ from a model's, in their shape, beyond the digits that are printed."""
    return np.asarray(~np.isclose(here, there, rtol=_RELATIVE, atol=_ABSOLUTE))


def _by_name(network: Network, other: str, constants: Mapping[str, NDArray[Any]]) -> WeightComparison:
    ours, theirs = [], []
    for block, names in network.of_block.items():
        values = {name.removeprefix(f"{block}."): name for name in names}
        if values:
            own = {kind: network.constants[name] for kind, name in values.items()}
            ours.append(WeightLayer(block, own, {kind: network.lines[name] for kind, name in values.items()}))
            theirs.append(WeightLayer(block, {kind: constants[name] for kind, name in values.items()}))
    return _compared(network, list(zip(ours, theirs, strict=True)), other, "")


def _by_order(network: Network, theirs: Sequence[WeightLayer], other: str) -> WeightComparison:
    """Pairs layers in order; blocks that read the same and together have a layer's channels are that layer."""
    ours = layers_of(network)
    pairs: list[tuple[WeightLayer, WeightLayer]] = []
    at = 0
    for layer in theirs:
        group: list[WeightLayer] = []
        while at < len(ours) and sum(each.filters for each in group) < layer.filters:
            group.append(ours[at])
            at += 1
        if not group:
            return _compared(network, pairs, other, f"{other} goes on with '{layer.name}', {network.file} ends before.")
        fits = [each.reads == layer.reads for each in group]
        if not all(fits) or sum(each.filters for each in group) != layer.filters:
            own = " and ".join(f"'{each.name}' {_shape(each)}" for each in group)
            structure = f"{network.file} goes on with {own}, {other} with '{layer.name}' {_shape(layer)}."
            return _compared(network, pairs, other, structure)
        first = 0
        for each in group:
            part = slice(first, first + each.filters)
            pairs.append((each, WeightLayer(layer.name, {kind: value[part] for kind, value in layer.weights.items()})))
            first += each.filters
    structure = f"{network.file} goes on with '{ours[at].name}', {other} ends before." if at < len(ours) else ""
    return _compared(network, pairs, other, structure)


def _shape(layer: WeightLayer) -> str:
    channels, height, width = layer.reads
    return f"({layer.filters} filters of {channels}x{height}x{width})"


def _compared(
    network: Network, pairs: Sequence[tuple[WeightLayer, WeightLayer]], other: str, structure: str
) -> WeightComparison:
    numbers = sum(own.count for own, _ in pairs)
    first: WeightDifference | None = None
    further = 0
    for own, their in pairs:
        found = _difference(own, their)
        if isinstance(found, str):
            structure = f"{network.file}, '{own.name}': {found} of '{their.name}' in {other}."
            break
        if found is not None and first is None:
            first = found
        elif found is not None:
            further += 1
    return WeightComparison(network.file, other, len(pairs), numbers, first, further, structure)


def _difference(own: WeightLayer, their: WeightLayer) -> WeightDifference | str | None:
    """Finds the first number that differs, or says in words which part one layer lacks; None if they are the same."""
    found: WeightDifference | None = None
    count = 0
    for kind in dict.fromkeys([*own.weights, *their.weights]):
        here, there = own.weights.get(kind), their.weights.get(kind)
        if here is None or there is None:
            given = here if here is not None else there
            assert given is not None
            if kind == "bias" and not given.any():  # no bias is the same as zeros
                continue
            return f"has no {kind}, unlike that" if here is None else f"has a {kind}, unlike that"
        if here.shape != there.shape:
            return f"has a {kind} of shape {list(here.shape)} instead of {list(there.shape)}, that"
        other = differs(here, there)
        count += int(other.sum())
        if other.any() and found is None:
            at = tuple(int(i) for i in np.argwhere(other)[0])
            found = WeightDifference(
                own.name, f"{kind}{list(at)}", int(own.lines[kind][at]) if kind in own.lines else 0,
                float(here[at]), float(there[at]), their.name, 0, own.count,
            )  # fmt: skip
    if found is None:
        return None
    return WeightDifference(
        found.layer, found.element, found.line, found.here, found.there, found.theirs, count, found.of
    )
