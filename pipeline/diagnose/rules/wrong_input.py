"""wrong_input: the wrong values are those of the layer with another tensor in place of one of its inputs.

Other inputs are tensors that the pass reads, or parts of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, StoredValues
from texelscope.pipeline.diagnose.fault_models.moved import same
from texelscope.pipeline.diagnose.index_maps.decoded_probes import asked_of
from texelscope.pipeline.diagnose.index_maps.redone import strangers, taken_otherwise
from texelscope.pipeline.diagnose.model_slice.model_slice import InputMove, ModelEdit, NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Proposing,
    Rule,
    Stage,
    forced,
)
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
# The tensor read, the one expected, replacement values by name, and the nodes that use them.
Wired = tuple[str, str, Mapping[str, str], Sequence[Node]]

# At most this many parts, and computed tensors, replace one another.
_MOST_PARTS = 12
# Larger tensors are not searched for parts.
_LARGEST = 1 << 20
# At most this many other tensors are tried in place of one.
_MOST = 48
# Of so many sampled elements of a tensor so many must differ before it is tried in place of another.
_LOOKED_AT, _FEWEST_VALUES = 512, 8


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
        for node in readers if len(readers) > 1 or {got, lost} <= given else ():
            yield got, lost, {lost: got}, (node,)


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
    made = [node.outputs[0] for node in case.model_slice.nodes if not facts_of(node).moves]
    return [
        name for name in made if name != case.model_slice.wanted and case.model_slice.values[name].dtype.kind == "f"
    ][:_MOST_PARTS]


def _parts(case: FailingPass) -> list[str]:
    """Returns tensors that the pass reads, constants aside, and parts cut out of any tensor, in the nodes' order."""
    cut = (name for node in case.model_slice.nodes if facts_of(node).moves for name in node.outputs if name)
    names = dict.fromkeys((*case.model_slice.given, *cut))
    return [
        name for name in names if name in case.model_slice.values and case.model_slice.values[name].dtype.kind == "f"
    ][:_MOST_PARTS]


def _readers(case: FailingPass, name: str) -> tuple[Node, ...]:
    """Returns nodes that compute with that tensor."""
    return tuple(node for node in case.model_slice.readers(name) if not facts_of(node).moves)


class WrongInput(Rule):
    """Another tensor is read: a sampler bound to the wrong texture, one input read twice, two swapped."""

    cause = causes.WRONG_INPUT
    stage = Stage.PLACES

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """A binding that was changed on GL and helped is seen and comes first; computed ones come later."""
        return ((Stage.DRAWING, self._rebound), (Stage.DRAWING, self._seen), (self.stage, self.propose))

    def _seen(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes elements that come from another tensor than the model's, as designed inputs show."""
        asked = asked_of(case)
        for expected, got in strangers(asked.moves) if asked is not None else ():
            try:
                values, covers = taken_otherwise(case, asked.moves)  # type: ignore[union-attr]
            except DoesNotApplyError:
                return
            says = f"'{got}' read in place of '{expected}', as designed inputs show"
            yield Hypothesis(
                self.cause, says, "Bind each sampler to its own tensor, and read each tensor from its own sampler.",
                {"got": got, "expected": expected}, values=values, covers=covers, line=lines.handed(got, last=True),
            )  # fmt: skip

    def _rebound(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes tensors that the model needs here, bound in place of tensors that it does not need."""
        for number, swaps in enumerate(case.evidence.facts.get("rebound", ())):
            says = " and ".join(f"'{each.bound}' is bound to {each.uniform}" for each in swaps)
            needed = " and ".join(f"'{each.needed}'" for each in swaps)
            first = swaps[0]
            more = {"bindings": {each.uniform: each.needed for each in swaps}} if len(swaps) > 1 else {}
            at = next(filter(None, (case.bound_at(each.uniform) for each in swaps)), None)
            yield from forced(
                case, self.cause, f"rebound {number}", f"{says}, where the model needs {needed}; with that bound",
                " ".join(f"Bind '{each.needed}' to {each.uniform}." for each in swaps),
                {"got": first.bound, "expected": first.needed, "sampler": first.uniform, **more},
                line=lambda _, at=at: at, prior=0.5 + number / 100.0,
            )  # fmt: skip

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes two inputs swapped, any other tensor in place of one, and operands swapped."""
        reads = case.activations()
        for i, first in enumerate(reads):
            for second in reads[i + 1 :]:
                if first.values.dims == second.values.dims:
                    both = (_instead(first, second.values.texels), _instead(second, first.values.texels))
                    says = f"'{first.tensor}' and '{second.tensor}' swapped"
                    yield self._hypothesis(says, second.tensor, both, first.tensor, 0.9)
        known = {each.tensor for each in reads}
        for read in reads:
            for weight, (name, texels) in enumerate(_others(case, read)):
                says = f"'{name}' read in place of '{read.tensor}'"
                at = name if name in known else read.tensor
                yield self._hypothesis(says, name, (_instead(read, texels),), at, 1.0 + weight / 1000.0)
                if texels.shape != read.values.texels.shape:
                    fetched = _instead(read, texels, "fetch")
                    yield self._hypothesis(says, name, (fetched,), at, 1.0005 + weight / 1000.0)
        yield from self._constants(case)
        for node in case.model_slice.nodes_with(lambda facts: facts.is_ordered):
            swapped = NodeChange(node.name, lambda node, inputs: case.model_slice.run_node(node, inputs[::-1]))
            says = f"the operands of {node.op_type} swapped"
            yield self._hypothesis(says, node.inputs[1], (swapped,), node.inputs[0], 1.1)
        for number, (got, lost, taken, nodes) in enumerate(wired_otherwise(case)):
            others = f" as input of {nodes[0].op_type} '{nodes[0].name}'" if len(nodes) == 1 else ""
            is_swapped = lost in taken.values()
            says = f"'{lost}' and '{got}' swapped" if is_swapped else f"'{got}' in place of '{lost}'{others}"
            found = reading(case, {name: case.model_slice.values[other] for name, other in taken.items()})
            changes = tuple(NodeChange(node.name, found) for node in nodes)
            yield self._hypothesis(says, got, changes, lost, 1.15 + number / 10_000.0)

    def _constants(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes parameters of the same shape, such as a scale and a shift, exchanged."""
        graph = case.model_slice.graph
        names = [] if graph is None else [
            name for name in case.model_slice.values
            if name in graph.constants and graph.constants[name].size > 1 and graph.constants[name].dtype.kind == "f"
        ]  # fmt: skip
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                one, other = case.model_slice.values[first], case.model_slice.values[second]
                if one.size != other.size or np.array_equal(one.reshape(-1), other.reshape(-1)):
                    continue
                to_first = constant_as(first, lambda _, v=other: v)  # type: ignore[misc]
                to_second = constant_as(second, lambda _, v=one: v)  # type: ignore[misc]
                both = f"'{first}' and '{second}' swapped"
                yield self._hypothesis(both, second, (to_first, to_second), first, 1.2)
                yield self._hypothesis(f"'{second}' read in place of '{first}'", second, (to_first,), first, 1.3)
                yield self._hypothesis(f"'{first}' read in place of '{second}'", first, (to_second,), second, 1.3)

    def _hypothesis(self, says: str, got: str, changes: tuple[ModelEdit, ...], line: str, prior: float) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Bind each sampler to its own tensor, and read each tensor from its own sampler.",
            {"got": got},
            changes,
            line=lines.handed(line, last=True),
            prior=prior,
        )


def _others(case: FailingPass, read: ReadTensor) -> Iterator[tuple[str, Array]]:
    """Yields names and texels of other tensors of as many lanes: the pass's inputs, then the nearest in the plan."""
    plan, capture = case.evidence.plan, case.evidence.capture
    keys = [each.values.stored.key for each in case.activations()]
    keys += [key for key in reversed(list(plan.textures)) if key in capture.tensors and key not in keys]
    for key in keys[:_MOST]:
        stored = plan.textures[key]
        itself = key in (read.values.stored.key, case.output.key)
        alike = stored.layout.lanes == read.values.stored.layout.lanes and key in capture.tensors
        if alike and not itself and _tells(capture.tensors[key]):
            yield stored.tensor, stored.encode(capture.tensors[key])


def _tells(values: Array) -> bool:
    """Whether a tensor has enough different values: many tensors resemble one that is zero everywhere."""
    flat = values.reshape(-1)
    some = flat[:: max(flat.size // _LOOKED_AT, 1)]
    return len(np.unique(some)) >= min(_FEWEST_VALUES, flat.size)


def _instead(read: ReadTensor, texels: Array, beyond: Beyond = "texel") -> InputMove:
    """Returns the move of reads of `read` to the same texels of another texture."""
    other = StoredValues(read.values.stored, np.asarray(texels, dtype=np.float32), read.values.wrap)
    return InputMove(read.tensor, other, same, beyond)
