"""epsilon: the wrong values are those of the normalisation with another epsilon, or one outside the root."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.fits import fitted_number
from texelscope.pipeline.diagnose.fault_models.layer_parts import ROOTLESS, ROOTS, Normalised, normalised
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Rule,
    Stage,
    nowhere,
)
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.graph import Node

Array = NDArray[Any]
# The largest constant under a root that still counts as an epsilon.
_LARGEST = 0.1

_BELOW = "v + ε"
_REMEDIES = {
    "√(v + ε)": "Add {right:.6g} to the variance, under the root.",
    _BELOW: "Add {right:.6g} to the divisor.",
}
# Epsilons as people write them: none, and powers of ten.
_WRITTEN = (0.0, *(float(f"1e-{digits}") for digits in range(13)))


class Epsilon(Rule):
    """The constant that keeps a division from zero differs, or is added outside the root."""

    cause = causes.EPSILON
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes powers of ten, errors of one or two digits, one fitted to the errors, and one outside the root."""
        for found in filter(None, (normalised(case, node) for node in case.model_slice.nodes)):
            right, root = found.epsilon, found.root

            def change(value: float, found: Normalised = found) -> NodeChange:
                return found.change(epsilon=value)

            for value, fitted in _others(right, fitted_number(case, change, right)):
                says = f"{_name(case)} with epsilon = {value:.6g} instead of {right:.6g}"
                yield self._hypothesis(says, right, root, value, change(value), 1.0, fitted=fitted)
            for other in (each for each in ROOTS if each not in (root, *ROOTLESS)):
                says = f"{_name(case)} divides by {other} with ε = {right:.6g} instead of {root}"
                got = right if "ε" in other else 0.0
                yield self._hypothesis(says, right, root, got, found.change(root=other), 1.1)
        for node in case.model_slice.node("Sqrt"):
            yield from self._written_out(case, node)
        for node in case.model_slice.node("Div"):
            yield from self._below(case, node)
        yield from self._folded(case)

    def _written_out(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        """Proposes the root of a sum with a small constant, made of a variance by nodes of the graph."""
        right = _small_summand(case, node.inputs[0])
        if not right:
            return

        def change(value: float, root: str = "√(v + ε)") -> NodeChange:
            def changed(_node: Node, inputs: Sequence[Array | None]) -> Array:
                summed = np.asarray(inputs[0], dtype=np.float64)
                return np.asarray(ROOTS[root](summed - right, value), dtype=np.float32)

            return NodeChange(node.name, changed)

        for value, fitted in _others(right, fitted_number(case, change, right)):
            says = f"the root with epsilon = {value:.6g} instead of {right:.6g}"
            yield self._hypothesis(says, right, "√(v + ε)", value, change(value), 1.0, fitted=fitted)
        for root in (each for each in ROOTS if each not in ("√(v + ε)", *ROOTLESS)):
            says = f"{root} with ε = {right:.6g} instead of √(v + ε)"
            yield self._hypothesis(says, right, "√(v + ε)", right, change(right, root), 1.1)

    def _below(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        """Proposes a quotient with another small constant in its divisor, or added to the quotient instead."""
        right = _small_summand(case, node.inputs[1])
        if not right:
            return

        def change(value: float, behind: float = 0.0) -> NodeChange:
            def changed(_node: Node, inputs: Sequence[Array | None]) -> Array:
                above, below = (np.asarray(each, dtype=np.float64) for each in inputs[:2])
                return np.asarray(above / (below - right + value) + behind, dtype=np.float32)

            return NodeChange(node.name, changed)

        for value, fitted in _others(right, fitted_number(case, change, right)):
            says = f"the quotient with epsilon = {value:.6g} instead of {right:.6g}"
            yield self._hypothesis(says, right, _BELOW, value, change(value), 1.0, fitted=fitted)
        says = f"the quotient with ε = {right:.6g} added after the division"
        yield self._hypothesis(says, right, _BELOW, right, change(0.0, right), 1.0)

    def _folded(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes factors of channels, scale / √(variance + ε), that are computed in advance."""
        graph = case.model_slice.graph
        for node in graph.nodes if graph is not None else ():
            if node.op_type != "BatchNormalization" or any(name not in graph.constants for name in node.inputs[1:5:3]):  # type: ignore[union-attr]
                continue
            scale, spread = (graph.constants[name].astype(np.float64).reshape(-1) for name in node.inputs[1:5:3])  # type: ignore[union-attr]
            right = float(node.attributes.get("epsilon", 1e-5))
            for name in [*case.model_slice.values]:
                held = case.model_slice.values[name]
                factor = scale / np.sqrt(spread + right)
                if name not in graph.constants or held.size != factor.size or held.dtype.kind != "f":  # type: ignore[union-attr]
                    continue
                if np.allclose(held.reshape(-1), factor, rtol=1e-5, atol=0.0):
                    yield from self._factors(name, scale, spread, right)

    def _factors(self, name: str, scale: Array, spread: Array, right: float) -> Iterator[Hypothesis]:
        for value, _ in _others(right):
            says = f"the factors of channels with epsilon = {value:.6g} instead of {right:.6g}"
            with np.errstate(all="ignore"):
                other = scale / np.sqrt(spread + value)
            change = constant_as(name, lambda old, v=other: v.astype(old.dtype))  # type: ignore[misc]
            yield self._hypothesis(says, right, "√(v + ε)", value, change, 1.0)

    def _hypothesis(
        self, says: str, right: float, root: str, got: float, change: ModelEdit, prior: float, *, fitted: int = 0
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            _REMEDIES.get(root, "Add {right:.6g} to the deviation, outside the root.").format(right=right),
            {"expected": right, "got": got},
            (change,),
            line=lines.first(
                lines.written(got) if got != right else nowhere,
                lines.called("sqrt", "inversesqrt", "pow"),
                lines.division,
            ),
            prior=prior,
            fitted=fitted,
        )


def _small_summand(case: FailingPass, tensor: str) -> float:
    """Returns the one small constant that is added to make a tensor; 0 if there is none."""
    maker, graph = case.model_slice.makers.get(tensor), case.model_slice.graph
    constants = [name for name in maker.inputs if graph is not None and name in graph.constants] if maker else []
    if maker is None or maker.op_type != "Add" or len(constants) != 1:
        return 0.0
    held = case.model_slice.values[constants[0]]
    value = float(f"{float(held.reshape(-1)[0]):.6g}") if held.size == 1 else 0.0
    return value if 0.0 < value <= _LARGEST else 0.0


def _name(case: FailingPass) -> str:
    return "the normalisation" if case.model_slice.node("Normalise") else "BatchNormalization"


def _others(right: float, found: Iterable[float] = ()) -> Iterator[tuple[float, int]]:
    """Yields other constants, each with 1 if fitted: common ones, errors of a digit or two, fitted ones."""
    slips = (*_WRITTEN, right * 10, right / 10, right * 100)
    for value in dict.fromkeys((*slips, *found)):
        if not np.isclose(value, right, rtol=1e-6, atol=0.0):
            yield value, int(value not in slips)
