"""Proposes other bindings: another tensor that is read, and state and coordinates that an intervention shows.

An intervention (`pipeline.diagnose.evidence`) draws the pass again with one thing changed: if that helps, it is the
cause.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.likely_values import written
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, StoredValues
from texelscope.pipeline.diagnose.fault_models.fits import spread_out
from texelscope.pipeline.diagnose.fault_models.layer_parts import with_attributes
from texelscope.pipeline.diagnose.fault_models.moved import same
from texelscope.pipeline.diagnose.model_slice.model_slice import InputMove, ModelEdit, NodeChange, Values
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage, cures_more, forced
from texelscope.pipeline.diagnose.trial.model_edits import constant_as, node_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
# The tensor read, the one expected, replacement values by name, and the nodes that use them.
Wired = tuple[str, str, Mapping[str, str], Sequence[Node]]


@dataclass(frozen=True)
class _Limits:
    """Bounds the search for another tensor."""

    parts: int = 12  # tensors of one pass that may replace one another: pairs are tried
    tensors: int = 48  # tensors of the plan that are tried in place of one, the nearest
    values: int = 8  # fewest different values: many tensors resemble one with less


_LIMITS = _Limits()


def wired_otherwise(case: FailingPass) -> Iterator[Wired]:
    """Yields two parts of one shape swapped, and one in place of another, in all nodes and in one.

    Tensors that the pass computes may be replaced too: such as the state after a step by the state before it.
    """
    values, given, parts = case.model_slice.values, {*case.model_slice.given}, _parts(case)
    pairs = [
        (got, lost)
        for lost in (*parts, *_computed(case))
        for got in parts
        if _may_be(values, got, lost) and not _goes_in(case, got, lost)
    ]
    for got, lost in pairs:
        readers = _readers(case, lost)
        if not readers or {got, lost} <= given:
            continue  # the bindings decide about whole tensors
        if got < lost and lost in parts and (others := _readers(case, got)):
            yield got, lost, {got: lost, lost: got}, tuple({each.name: each for each in (*readers, *others)}.values())
        yield got, lost, {lost: got}, readers
    for got, lost in pairs:
        readers = _readers(case, lost)
        if len(readers) > 1 or {got, lost} <= given:
            yield from ((got, lost, {lost: got}, (node,)) for node in readers)


def reading(case: FailingPass, taken: Mapping[str, Array]) -> Callable[[Node, Values], Array]:
    """Returns a node's function with other values in some tensors, by name."""

    def change(node: Node, inputs: Values) -> Array:
        return case.model_slice.run_node(
            node, [taken.get(name, x) for name, x in zip(node.inputs, inputs, strict=True)]
        )

    return change


def _may_be(values: Mapping[str, Array], got: str, lost: str) -> bool:
    one, other = values[got], values[lost]
    return got != lost and one.shape == other.shape and not np.array_equal(one, other)


def _goes_in(case: FailingPass, got: str, lost: str) -> bool:
    """Whether one is a function of the other: read in its place, it only omits the function."""
    maker = case.model_slice.makers.get(lost)
    return maker is not None and got in maker.inputs and facts_of(maker).pointwise and not facts_of(maker).adds


def _computed(case: FailingPass) -> list[str]:
    """Returns intermediate tensors of the pass that other nodes of it use."""
    made = (node.outputs[0] for node in case.model_slice.nodes if not facts_of(node).moves)
    return _of_real_numbers(case, (name for name in made if name != case.model_slice.wanted))


def _parts(case: FailingPass) -> list[str]:
    """Returns tensors that the pass reads, constants aside, and parts cut out of any tensor, in the nodes' order."""
    cut = (name for node in case.model_slice.nodes if facts_of(node).moves for name in node.outputs if name)
    return _of_real_numbers(case, dict.fromkeys((*case.model_slice.given, *cut)))


def _of_real_numbers(case: FailingPass, names: Iterable[str]) -> list[str]:
    values = case.model_slice.values
    return [name for name in names if name in values and values[name].dtype.kind == "f"][: _LIMITS.parts]


def _readers(case: FailingPass, name: str) -> tuple[Node, ...]:
    """Returns nodes that compute with that tensor."""
    return tuple(node for node in case.model_slice.readers(name) if not facts_of(node).moves)


def _rebound(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes tensors that the model needs here, bound in place of tensors that it does not need."""
    for number, swaps in enumerate(case.evidence.facts.get("rebound", ())):
        says = " and ".join(f"'{each.bound}' is bound to {each.uniform}" for each in swaps)
        needed = " and ".join(f"'{each.needed}'" for each in swaps)
        first = swaps[0]
        more = {"bindings": {each.uniform: each.needed for each in swaps}} if len(swaps) > 1 else {}
        at = next(filter(None, (case.bound_at(each.uniform) for each in swaps)), None)
        yield from forced(
            case, causes.WRONG_INPUT, f"rebound {number}",
            f"{says}, where the model needs {needed}; with that bound",
            {"got": first.bound, "expected": first.needed, "sampler": first.uniform, **more},
            remedy=" ".join(f"Bind '{each.needed}' to {each.uniform}." for each in swaps),
            line=lambda _, at=at: at, prior=0.5 + number / 100.0,
            is_to_change=len(swaps) == 1,
        )  # fmt: skip


def _wrong_input(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes two inputs swapped, any other tensor in place of one, and operands swapped."""
    reads = case.activations()
    for first, second in itertools.combinations(reads, 2):
        if first.values.dims == second.values.dims:
            both = (_instead(first, second.values.texels), _instead(second, first.values.texels))
            says = f"'{first.tensor}' and '{second.tensor}' swapped"
            yield _read(says, second.tensor, both, first.tensor, 0.9)
    known = {each.tensor for each in reads}
    for read in reads:
        for number, (name, texels) in enumerate(_others(case, read)):
            says, prior = f"'{name}' read in place of '{read.tensor}'", 1.0 + number / 1000.0
            at = name if name in known else read.tensor
            yield _read(says, name, (_instead(read, texels),), at, prior)
            if texels.shape != read.values.texels.shape:
                yield _read(says, name, (_instead(read, texels, "fetch"),), at, prior + 0.0005)
    yield from _constants(case)
    for node in case.model_slice.nodes_with(lambda facts: facts.is_ordered):
        swapped = NodeChange(node.name, lambda node, inputs: case.model_slice.run_node(node, inputs[::-1]))
        yield _read(f"the operands of {node.op_type} swapped", node.inputs[1], (swapped,), node.inputs[0], 1.1)
    for number, (got, lost, taken, nodes) in enumerate(wired_otherwise(case)):
        others = f" as input of {nodes[0].op_type} '{nodes[0].name}'" if len(nodes) == 1 else ""
        is_swapped = lost in taken.values()
        says = f"'{lost}' and '{got}' swapped" if is_swapped else f"'{got}' in place of '{lost}'{others}"
        found = reading(case, {name: case.model_slice.values[other] for name, other in taken.items()})
        changes = tuple(NodeChange(node.name, found) for node in nodes)
        yield _read(says, got, changes, lost, 1.15 + number / 10_000.0)


def _constants(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes parameters of the same shape, such as a scale and a shift, exchanged."""
    constants, values = case.model_slice.constants, case.model_slice.values
    several = (name for name in values if name in constants and constants[name].size > 1)
    for first, second in itertools.combinations((name for name in several if constants[name].dtype.kind == "f"), 2):
        one, other = values[first], values[second]
        if one.size != other.size or np.array_equal(one.reshape(-1), other.reshape(-1)):
            continue
        to_first = constant_as(first, lambda _, v=other: v)  # type: ignore[misc]
        to_second = constant_as(second, lambda _, v=one: v)  # type: ignore[misc]
        yield _read(f"'{first}' and '{second}' swapped", second, (to_first, to_second), first, 1.2)
        yield _read(f"'{second}' read in place of '{first}'", second, (to_first,), first, 1.3)
        yield _read(f"'{first}' read in place of '{second}'", first, (to_second,), second, 1.3)


def _read(says: str, got: str, changes: tuple[ModelEdit, ...], line: str, prior: float) -> Hypothesis:
    return Hypothesis(causes.WRONG_INPUT, says, changes, {"got": got}, line=lines.handed(line, last=True), prior=prior)


def _others(case: FailingPass, read: ReadTensor) -> Iterator[tuple[str, Array]]:
    """Yields names and texels of other tensors of as many lanes: the pass's inputs, then the nearest in the plan."""
    plan, capture = case.evidence.plan, case.evidence.capture
    keys = [each.values.stored.key for each in case.activations()]
    keys += [key for key in reversed(list(plan.textures)) if key in capture.tensors and key not in keys]
    for key in keys[: _LIMITS.tensors]:
        stored = plan.textures[key]
        itself = key in (read.values.stored.key, case.output.key)
        alike = stored.layout.lanes == read.values.stored.layout.lanes and key in capture.tensors
        if alike and not itself and _tells(capture.tensors[key]):
            yield stored.tensor, stored.encode(capture.tensors[key])


def _tells(values: Array) -> bool:
    """Whether a tensor has enough different values: many tensors resemble one that is zero everywhere."""
    return len(np.unique(spread_out(values))) >= min(_LIMITS.values, values.size)


def _instead(read: ReadTensor, texels: Array, beyond: Beyond = "texel") -> InputMove:
    """Returns the move of reads of `read` to the same texels of another texture."""
    other = StoredValues(read.values.stored, np.asarray(texels, dtype=np.float32), read.values.wrap)
    return InputMove(read.tensor, other, same, beyond)


# -- state and coordinates --------------------------------------------------------------------------------------------

_CONVENTIONS = ("asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
_ROUNDING = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")


def _half_texel(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes coordinates moved by half a texel, and other conventions of a resize."""
    is_filtered = bool(_filtered(case))
    moves = [("moved_half", 0.5), ("moved_half_back", -0.5)]
    if is_filtered:  # half a texel of an output that is twice as large
        moves += [("moved_forth", 0.25), ("moved_back", -0.25)]
    for name, by in moves:
        if cures_more(case, name, "unmoved"):
            # Without a filter the reads lie on the border between texels, which is another cause.
            yield from forced(
                case, causes.HALF_TEXEL, name, f"with every sampled coordinate moved by {by:+g} texels",
                {"texels": by}, order=2, line=lines.read(), prior=0.8 if is_filtered else 1.2,
            )  # fmt: skip
    for node in case.model_slice.node("Resize"):
        yield from _conventions(case, node)


def _filtered(case: FailingPass) -> list[ReadTensor]:
    return [read for read in case.evidence.reads if read.sampler.filter == "linear"]


def _conventions(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes every other mapping of a resize's output coordinates to the input's."""
    right = str(node.attributes.get("coordinate_transformation_mode", "half_pixel"))
    rounding = str(node.attributes.get("nearest_mode", "round_prefer_floor"))
    nearest = node.attributes.get("mode", "nearest") == "nearest"
    for got, rounded in itertools.product(_CONVENTIONS, _ROUNDING if nearest else (rounding,)):
        if (got, rounded) == (right, rounding):
            continue
        changed = with_attributes(node, coordinate_transformation_mode=got, nearest_mode=rounded)
        said = f"{got}, {rounded}" if nearest else got
        yield Hypothesis(
            causes.HALF_TEXEL, f"coordinates by the convention {said} instead of {right}",
            (node_as(case, node, changed),), {"expected": right, "got": got},
            remedy=f"Map the output's texels to the input's by the convention {right}.", line=lines.read(), prior=1.3,
        )  # fmt: skip


def _viewport_mismatch(case: FailingPass) -> Iterator[Hypothesis]:
    if case.differ("viewport", "as_is"):
        says = "with the viewport as large as the target"
        yield from forced(case, causes.VIEWPORT_MISMATCH, "viewport", says, prior=0.7)


def _blend_enabled(case: FailingPass) -> Iterator[Hypothesis]:
    if not case.differ("unblended", "as_is_over_sentinel"):
        return
    if case.differ("as_is", "as_is_over_sentinel") or case.differ("unblended", "as_is"):
        yield from forced(case, causes.BLEND_ENABLED, "unblended", "with blending off", prior=0.6)


def _linear_filtering(case: FailingPass) -> Iterator[Hypothesis]:
    if case.differ("nearest", case.before_sampling):
        first = next(iter(_filtered(case)), None)
        parameters = {"sampler": first.sampler.uniform} if first else {}
        line = lines.read(first.tensor if first else None)
        says = "with nearest filtering"
        yield from forced(case, causes.LINEAR_FILTERING, "nearest", says, parameters, order=2, line=line, prior=0.9)


def _texel_edge(case: FailingPass) -> Iterator[Hypothesis]:
    reads = [tap for taps in case.evidence.taps for tap in taps.reads]
    on_edge = [tap for tap in reads if tap.on_edge]
    if _filtered(case) and reads and not on_edge:
        return
    seen = f" ({len(on_edge):,} of {len(reads):,} recorded reads lie on a border)" if reads else ""
    tensor = case.evidence.plan.textures[on_edge[0].key].tensor if on_edge else None
    for name, text in (("moved_forth", "+0.25"), ("moved_back", "-0.25")):
        if cures_more(case, name, "unmoved"):
            yield from forced(
                case, causes.TEXEL_EDGE, name, f"with every sampled coordinate moved by {text} texels{seen}",
                order=2, line=lines.read(tensor), prior=1.0 if on_edge or not reads else 1.4, observed=bool(on_edge),
            )  # fmt: skip


def _missing_barrier(case: FailingPass) -> Iterator[Hypothesis]:
    facts, other = case.evidence.facts, case.interventions("other_size")
    where, line = facts.get("barrier", ("before and after every write to shared memory", None))
    says = f"with a barrier() {where}"
    if "other_size" in facts and other is not None and (other[0] != case.actual).any():
        says = f"in work groups of {facts['other_size']} the values differ; {says}"
    remedy = f"Put barrier(); {where}, where all invocations of the work group reach it."
    yield from forced(case, causes.MISSING_BARRIER, "barriers", says, remedy=remedy, line=lambda _case: line, prior=0.4)


def _unset_uniform(case: FailingPass) -> Iterator[Hypothesis]:
    settings = case.evidence.settings
    said = " and ".join(f"{each.uniform.key} = {written(each.uniform, each.value)}" for each in settings)
    them = "it" if len(settings) == 1 else "them"
    yield from forced(
        case, causes.UNSET_UNIFORM, "set", f"with {said} in the pipeline file, which leaves {them} at 0",
        {"settings": {each.uniform.key: each.value for each in settings}}, prior=0.3,
        remedy=f"Set {them} in the pipeline file.", fitted=sum(each.uniform.count for each in settings),
    )  # fmt: skip


GENERATORS = (
    Generator(causes.WRONG_INPUT, Stage.DRAWING, _rebound),
    Generator(causes.WRONG_INPUT, Stage.PLACES, _wrong_input),
    Generator(causes.HALF_TEXEL, Stage.DRAWING, _half_texel),
    Generator(causes.VIEWPORT_MISMATCH, Stage.DRAWING, _viewport_mismatch),
    Generator(causes.BLEND_ENABLED, Stage.DRAWING, _blend_enabled),
    Generator(causes.LINEAR_FILTERING, Stage.DRAWING, _linear_filtering),
    Generator(causes.TEXEL_EDGE, Stage.DRAWING, _texel_edge),
    Generator(causes.MISSING_BARRIER, Stage.DRAWING, _missing_barrier),
    Generator(causes.UNSET_UNIFORM, Stage.DRAWING, _unset_uniform),
)
