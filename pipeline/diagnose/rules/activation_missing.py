"""activation_missing: the wrong values are those that enter an activation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from texelscope.pipeline.diagnose.clues.normalised import ROOTLESS, normalised
from texelscope.pipeline.diagnose.clues.parts import activations
from texelscope.pipeline.diagnose.functions.in_part import in_parts
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    ANOTHER,
    BEYOND,
    ELSEWHERE,
    MORE_READ,
    Hypothesis,
    Rule,
    Stage,
    Traits,
)
from texelscope.pipeline.diagnose.trial.model_edits import node_skipped
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

# Samples of a function, and by how much of its largest value one must be off a straight line to count as bent.
_LOOKED_AT, _BENT = 512, 1e-3


class ActivationMissing(Rule):
    """An activation, or another function of one value, is not applied."""

    cause = "activation_missing"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(
        repaired_in="values",
        edits=("put in",),
        leaves_out=True,
        confirmed_by=frozenset(
            {"accumulator_not_reset", "bias_missing", "clamped_0_1", "filter_io_swap", "scale", "wrong_function"}
        ),
        denied_by_edits=frozenset({"before", "taken away"}),
        denied_by_reads=ELSEWHERE | ANOTHER | BEYOND | MORE_READ | {"a bias twice"},
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes each activation of the pass, then every other function of one value; everywhere, then in parts."""
        curves = activations(case)
        others = [node for node in case.model_slice.nodes if node not in curves]
        for weight, node in enumerate((*curves, *others)):
            position = _position(case, node)
            if position is None:
                if node not in curves:
                    continue
                position = 0
            whole = Hypothesis(
                self.cause,
                f"the values before {node.op_type} '{node.name}'",
                f"Apply {node.op_type} to the result.",
                {"activation": node.op_type},
                (node_skipped(node, position),),
                line=lines.result if node in case.model_slice.tail() else lines.before_sum(node.inputs[position]),
                prior=1.0 if node in curves else 0.9 + weight / 1000.0,
                in_pairs=True,
            )
            yield whole
            yield from in_parts(case, whole)
        for found in filter(None, (normalised(case, node) for node in case.model_slice.nodes)):
            for root in ROOTLESS:
                yield Hypothesis(
                    self.cause, f"a normalisation divided by {root}, not by {found.root}", f"Divide by {found.root}.",
                    {"activation": "Sqrt"}, (found.change(root=root),),
                    line=lines.first(lines.called("sqrt", "inversesqrt", "pow"), lines.division),
                )  # fmt: skip


def _position(case: FailingPass, node: Node) -> int | None:
    """Returns which input passes through if the node is left out; None if it is no function of one value."""
    if _is_from(case, node):
        return 1
    made = dict.fromkeys(name for name in node.inputs if name)
    if not made or not facts_of(node).pointwise or facts_of(node).keeps_order:
        return None
    graph = case.model_slice.graph
    free = [
        name for name in made if graph is None or name not in graph.constants or case.model_slice.values[name].size > 1
    ]
    if len(made) > 1 and len(free) != 1:
        return None
    position = node.inputs.index(free[0]) if free else 0
    is_alone = len([name for name in node.inputs if name]) == 1
    return position if is_alone or _bends(case, node, position) else None


def _bends(case: FailingPass, node: Node, position: int) -> bool:
    """Whether a function of a number and constants, such as a square or min(x, 0), is not a straight line."""
    x, y = case.model_slice.inputs_of(node)[position], case.model_slice.values[node.outputs[0]]
    if x is None or x.shape != y.shape or x.dtype.kind != "f" or y.dtype.kind != "f" or not x.size:
        return False
    some = slice(None, None, max(x.size // _LOOKED_AT, 1))
    given, made = x.reshape(-1)[some].astype(np.float64), y.reshape(-1)[some].astype(np.float64)
    with np.errstate(all="ignore"):
        line = np.stack([given, np.ones_like(given)], axis=1)
        if not (np.isfinite(line).all() and np.isfinite(made).all()):
            return False
        left = made - line @ np.linalg.lstsq(line, made, rcond=None)[0]
    return bool(np.abs(left).max() > _BENT * np.abs(made).max())


def _is_from(case: FailingPass, node: Node) -> bool:
    """Whether the node subtracts a number from, or divides it into, a constant, such as 1 - x."""
    graph = case.model_slice.graph
    held = [name for name in node.inputs[:1] if graph is not None and name in graph.constants]
    return bool(held) and facts_of(node).is_ordered and case.model_slice.values[held[0]].size == 1
