"""Forms become layers: activations outside, convolutions of sums, and at the end a texel's pixels in their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from texelscope.pipeline.dialects.mpv.network.block_text import Phase, ResultLanes
from texelscope.pipeline.dialects.mpv.network.convolutions import SumNodes
from texelscope.pipeline.dialects.mpv.network.functions import negated
from texelscope.pipeline.dialects.mpv.network.nodes import Nodes
from texelscope.pipeline.dialects.mpv.network.sources import (
    SourceSums,
    SourceWeights,
    SummedSource,
    constants_of,
    sums_of,
)
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture
from texelscope.pipeline.dialects.mpv.network.values import (
    NOTHING,
    Apply,
    Atom,
    LinearForm,
    LiteralNumber,
    NotUnderstoodError,
    SampledTexel,
    TextureTap,
    as_form,
)

# Functions that leave alone what they would make, so that a constant may stand beside them.
_KEPT: Mapping[str, Callable[[float, Sequence[float]], float]] = {
    "Relu": lambda value, _: max(value, 0.0),
    "Clip": lambda value, limits: min(max(value, limits[0]), limits[1]),
}


class Layers:
    """Makes nodes of what a block's lanes are; `textures` are those that it reads, by the model's tensors."""

    def __init__(self, nodes: Nodes, textures: Mapping[str, BlockTexture]) -> None:
        self._nodes = nodes
        self._textures = textures

    def tensor(self, lanes: ResultLanes) -> str:
        """The tensor of all channels, at the size of the result. Raises NotUnderstoodError."""
        tensor = self._tensor(lanes)
        missing = lanes.channels // self._nodes.channels[tensor]
        return self._nodes.node("Concat", [tensor] * missing, lanes.channels, {"axis": 1}) if missing > 1 else tensor

    def _tensor(self, lanes: ResultLanes) -> str:
        return self._activated(lanes) or self._parametric(lanes) or self._summed(lanes)

    # -- activations -------------------------------------------------------------------------------------------

    def _activated(self, lanes: ResultLanes) -> str | None:
        """The tensor if every lane is one and the same function of something; None otherwise."""
        atoms = [_lone(form) for forms in lanes.forms.values() for form in forms]
        first = next((atom for atom in atoms if atom is not None), None)
        if first is None:
            return None
        numbers = _numbers(first)
        inner: dict[Phase, tuple[LinearForm, ...]] = {}
        for phase, forms in lanes.forms.items():
            kept = [_argument(form, first.function, numbers) for form in forms]
            if any(form is None for form in kept):
                return None
            inner[phase] = tuple(form for form in kept if form is not None)
        return self._applied(first.function, numbers, lanes, inner)

    def _applied(
        self,
        function: str,
        numbers: tuple[float, ...],
        lanes: ResultLanes,
        inner: Mapping[Phase, tuple[LinearForm, ...]],
    ) -> str:
        tensor = self._tensor(lanes.of(inner))
        channels = self._nodes.channels[tensor]
        others = [self._nodes.constant("number", np.array(number, np.float32)) for number in numbers]
        if function in ("Mul", "Div", "Max", "Min") and not numbers:
            second = {phase: tuple(_second(form) for form in forms) for phase, forms in lanes.forms.items()}
            others = [self._tensor(lanes.of(second))]
            channels = max(channels, self._nodes.channels[others[0]])
        return self._nodes.node(function, [tensor, *others], channels)

    def _parametric(self, lanes: ResultLanes) -> str | None:
        """The tensor if every lane is F where that is positive and a·F elsewhere; None otherwise."""
        slopes: dict[Phase, tuple[LiteralNumber, ...]] = {}
        inner: dict[Phase, tuple[LinearForm, ...]] = {}
        for phase, forms in lanes.forms.items():
            found = [_leaky(form) for form in forms]
            if any(each is None for each in found):
                return None
            inner[phase] = tuple(each[0] for each in found if each is not None)
            slopes[phase] = tuple(each[1] for each in found if each is not None)
        if len({tuple(each.value for each in every) for every in slopes.values()}) > 1:
            return None
        values, lines = constants_of(next(iter(slopes.values())))
        tensor = self.tensor(lanes.of(inner))
        slope = self._nodes.constant("slope", values.reshape(-1, 1, 1), lines.reshape(-1, 1, 1))
        return self._nodes.node("PRelu", [tensor, slope], len(values))

    # -- sums --------------------------------------------------------------------------------------------------

    def _summed(self, lanes: ResultLanes) -> str:
        """The tensor of plain sums: those at the result's own size, and those that are spread over its pixels."""
        if lanes.stride == (1, 1):
            return self._sum(sums_of(lanes))
        fine, coarse = self._parted(lanes)
        parts: list[str] = []
        if any(form.terms or form.constant.value for forms in coarse.values() for form in forms):
            parts.append(self._spread(lanes.of(coarse)))
        if fine is not None:
            parts.append(self._sum(sums_of(fine)))
        if len(parts) == 1:
            return parts[0]
        return self._nodes.node("Add", parts, max(self._nodes.channels[part] for part in parts))

    def _parted(self, lanes: ResultLanes) -> tuple[ResultLanes | None, dict[Phase, tuple[LinearForm, ...]]]:
        """What every phase does alike at the size of the result; and the rest, which phases do differently."""
        for also_taps in (True, False):
            alike: list[tuple[LinearForm, ...]] = []
            coarse: dict[Phase, tuple[LinearForm, ...]] = {}
            for phase, forms in lanes.forms.items():
                parts = [_parts(form, phase, lanes.stride, also_taps=also_taps) for form in forms]
                alike.append(tuple(part[0] for part in parts))
                coarse[phase] = tuple(part[1] for part in parts)
            if len({tuple(form.key for form in forms) for forms in alike}) == 1:
                break
        else:
            raise NotUnderstoodError("an interpolated texture that is weighted otherwise from pixel to pixel")
        has_fine = any(form.terms for form in alike[0])
        alone = [forms for forms in coarse.values() if not any(form.terms for form in forms)]
        if has_fine and len(alone) == len(coarse) and len({tuple(form.key for form in forms) for forms in alone}) == 1:
            alike[0] = tuple(LinearForm(own.constant, form.terms) for form, own in zip(alike[0], alone[0], strict=True))
            coarse = {}
        return (ResultLanes((1, 1), {(0, 0): alike[0]}) if has_fine else None), coarse

    def _spread(self, lanes: ResultLanes) -> str:
        """What lies at one texel for several pixels, put in their places."""
        width, height = lanes.stride
        if all(len({form.key for form in forms}) == 1 for forms in lanes.forms.values()):
            lanes = lanes.of({phase: forms[:1] for phase, forms in lanes.forms.items()})
        tensor = self._sum(sums_of(lanes))
        if width == height:
            return self._nodes.node("DepthToSpace", [tensor], lanes.channels, {"blocksize": width, "mode": "CRD"})
        # ONNX spreads over squares alone: here each channel is written to its place by a transposed convolution.
        spots = np.zeros((lanes.channels * height * width, lanes.channels, height, width), np.float32)
        for row in range(len(spots)):
            channel, spot = divmod(row, height * width)
            spots[row, channel, spot // width, spot % width] = 1.0
        places = self._nodes.constant("places", spots)
        attributes = {"strides": (height, width), "kernel_shape": (height, width)}
        return self._nodes.node("ConvTranspose", [tensor, places], lanes.channels, attributes)

    def _sum(self, sums: SourceSums) -> str:
        return SumNodes(self._nodes, self._textures, self._hidden).tensor(sums)

    def _hidden(self, source: SummedSource, weights: SourceWeights) -> str:
        """The tensor whose channels are functions of sums."""
        atoms = [atom for atom in weights.atoms if isinstance(atom, Apply)]
        forms = tuple(LinearForm(LiteralNumber(0.0), {atom: LiteralNumber(1.0)}) for atom in atoms)
        made = self._activated(ResultLanes((1, 1), {(0, 0): forms}))
        if made is None:
            raise NotUnderstoodError(f"{source.function} of several kinds of sums")
        return made


def _lone(form: LinearForm) -> Apply | None:
    """The function that a form is, if it is nothing else."""
    if form.constant.value or len(form.terms) != 1:
        return None
    ((atom, weight),) = form.terms.items()
    return atom if isinstance(atom, Apply) and weight.value == 1.0 else None


def _numbers(atom: Apply) -> tuple[float, ...]:
    return tuple(form.constant.value for form in atom.arguments[1:] if not form.terms)


def _argument(form: LinearForm, function: str, numbers: tuple[float, ...]) -> LinearForm | None:
    """What the function is applied to in the form; the form itself if it is a constant that the function keeps."""
    if not form.terms:
        keeps = _KEPT.get(function)
        return form if keeps is not None and keeps(form.constant.value, numbers) == form.constant.value else None
    atom = _lone(form)
    if atom is None or atom.function != function or _numbers(atom) != numbers:
        return None
    return atom.arguments[0]


def _second(form: LinearForm) -> LinearForm:
    atom = _lone(form)
    return atom.arguments[1] if atom is not None else LinearForm(LiteralNumber(0.0), NOTHING)


def _leaky(form: LinearForm) -> tuple[LinearForm, LiteralNumber] | None:
    """F and a where the form is Relu(F) − a·Relu(−F); None for others."""
    if form.constant.value or len(form.terms) != 2:
        return None
    pairs = list(form.terms.items())
    for (upper, one), (lower, slope) in (pairs, pairs[::-1]):
        if not isinstance(upper, Apply) or not isinstance(lower, Apply) or one.value != 1.0:
            continue
        if {upper.function, lower.function} == {"Relu"} and as_form(negated(upper.arguments[0])).key == (
            lower.arguments[0].key
        ):
            return upper.arguments[0], LiteralNumber(-slope.value, slope.line)
    return None


def _parts(
    form: LinearForm, phase: Phase, stride: tuple[int, int], *, also_taps: bool
) -> tuple[LinearForm, LinearForm]:
    """Of a form what is read at the size of the result, interpolated or (`also_taps`) so stored; and all else."""
    fine: dict[Atom, LiteralNumber] = {}
    rest: dict[Atom, LiteralNumber] = {}
    for atom, weight in form.terms.items():
        if isinstance(atom, SampledTexel):
            fine[atom] = weight
        elif also_taps and isinstance(atom, TextureTap) and atom.step == stride:
            own = (atom.offset[0] - phase[0], atom.offset[1] - phase[1])
            fine[TextureTap(atom.texture, atom.lane, own, (1, 1), atom.border)] = weight
        else:
            rest[atom] = weight
    return LinearForm(LiteralNumber(0.0), fine), LinearForm(form.constant, rest)
