"""wrong_function: the wrong values are those of the layer with another function of one value in place of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.functions.before_sum import of_parts
from pipeline.diagnose.functions.in_part import in_parts, reproduces_wrong
from pipeline.diagnose.functions.other_folds import other_folds
from pipeline.diagnose.functions.read_curve import read_curves
from pipeline.diagnose.mistakes.extra_curves import CURVES, Curve
from pipeline.diagnose.redo.redo import Change, NodeChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function, node_skipped, window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]

# Functions that are no activations; and those that an activation is seldom mistaken for.
_OTHERS = {
    "Neg": Curve(lambda x: -x, ("-",)),
    "Exp2": Curve(np.exp2, ("exp2",)),
    "1 / Sqrt": Curve(lambda x: 1.0 / np.sqrt(x), ("inversesqrt",)),
    "Sign": Curve(np.sign, ("sign",)),
    "Floor": Curve(np.floor, ("floor", "int")),
}


# Functions of two values.
_OF_TWO = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": np.divide,
    "Max": np.maximum,
    "Min": np.minimum,
}


class WrongFunction(Rule):
    """A function is another than the model's, of one value or of all that a reduction joins: all over or in a part."""

    cause = "wrong_function"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """For each function of one value each common one in its place, all over, then in parts; other reductions."""
        for node in case.redo.nodes:
            if _is_of_one_value(case, node):
                found = [*self._of(case, node)]
                yield from found
                for each in found:
                    yield from in_parts(case, each)
            if node.op_type == "PRelu":
                other = NodeChange(node.name, lambda node, inputs: -case.redo.run_node(node, [-inputs[0], *inputs[1:]]))  # type: ignore[operator]
                yield self._hypothesis(node, "the slope above zero", other, (), 1.3)
            yield from self._of_two(case, node)
        yield from self._of_pools(case)
        yield from of_parts(case, self.cause)
        for number, folded in enumerate(other_folds(case)):
            called = f"{folded.node.op_type} '{folded.node.name}'"
            says = f"{called}: {folded.says}"
            yield self._hypothesis(folded.node, folded.says, folded.change, (), 1.7 + number / 1000.0, says=says)

    def _of(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        left_out = (node_skipped(node),)
        if reproduces_wrong(case, left_out) and case.judge.reproduces(case.evaluate(left_out)).is_whole:
            return
        x = np.asarray(case.redo.inputs_of(node)[0], dtype=np.float32)
        right = case.redo.values[node.outputs[0]]
        for weight, (name, curve) in enumerate((*CURVES.items(), *_OTHERS.items())):
            with np.errstate(all="ignore"):
                same = np.allclose(curve.function(x), right, rtol=1e-4, atol=1e-6, equal_nan=True)
            if not same:
                yield self._hypothesis(node, name, _instead(node, curve.function), curve.calls, 1.29 + weight / 100.0)
        for read in read_curves(case, node):
            yield self._hypothesis(node, read.says, _instead(node, read.function), (), 1.65, read.numbers)

    def _of_pools(self, case: Case) -> Iterator[Hypothesis]:
        """The mean, the sum or the largest of a window in place of another of them."""
        ways = (("the mean", "mean", "inside"), ("the sum", "mean", 1.0), ("the largest", "largest", "inside"))
        for window in case.windows():
            node = next(node for node in case.redo.nodes if node.name == window.node)
            for says, kind, count in ways if window.kind != "sum" else ():
                if kind != window.kind:
                    outside = -np.inf if kind == "largest" else 0.0
                    other = window_with(node.name, kind=kind, count=count, outside=outside)
                    yield self._hypothesis(node, says, other, (), 1.4)

    def _of_two(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        """Another function of the same two values, neither of them a constant; or one of them alone, as it is."""
        if (
            node.op_type not in _OF_TWO
            or len(node.inputs) != 2
            or len({*node.inputs} - {*case.redo.makers, *case.redo.given})
        ):
            return
        for weight, (name, of_two) in enumerate(_OF_TWO.items()):
            other = NodeChange(node.name, lambda _node, x, f=of_two: np.asarray(f(x[0], x[1])), pointwise=True)  # type: ignore[misc]
            if name != node.op_type:
                yield self._hypothesis(node, name, other, (), 1.5 + weight / 100.0)
        for position, name in enumerate(node.inputs if node.op_type not in ("Add", "Sub") else ()):
            if case.redo.values[name].shape == case.redo.values[node.outputs[0]].shape:
                alone = node_skipped(node, position)
                yield self._hypothesis(node, f"'{name}' alone", alone, (), 1.58)

    def _hypothesis(
        self,
        node: Node,
        name: str,
        change: Change,
        calls: tuple[str, ...],
        weight: float,
        fitted: int = 0,
        says: str = "",
    ) -> Hypothesis:
        called = f"{node.op_type} '{node.name}'"
        return Hypothesis(
            self.cause,
            says or f"{name} in place of {called}",
            f"Apply {node.op_type}, not {name}.",
            {"function": name, "expected": node.op_type},
            (change,),
            line=lines.first(lines.called(*calls), lines.activation),
            weight=weight,
            fitted=fitted,
        )


def _is_of_one_value(case: Case, node: Node) -> bool:
    """Whether it is one of numbers: another function may stand in its place."""
    facts, values = facts_of(node), [case.redo.values[name] for name in (*node.inputs[:1], node.outputs[0]) if name]
    alone = len(node.inputs[: facts.operands]) == 1 and not facts.moves
    return facts.pointwise and alone and len(values) == 2 and all(each.dtype.kind == "f" for each in values)


def _instead(node: Node, function: Function) -> NodeChange:
    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        return np.asarray(function(np.asarray(inputs[0], dtype=np.float32)), dtype=np.float32)

    return NodeChange(node.name, change, pointwise=True)
