"""activation_missing: the wrong values are those that go into an activation."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.clues.normalised import ROOTLESS, normalised
from pipeline.diagnose.clues.parts import activations
from pipeline.diagnose.functions.before_sum import of_parts
from pipeline.diagnose.functions.in_part import in_parts
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import node_skipped
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of


class ActivationMissing(Rule):
    """An activation, or another function of one value, is not applied."""

    cause = "activation_missing"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """One for each activation of the pass, then for every other function of one value; all over, then in parts."""
        curves = activations(case)
        others = [node for node in case.redo.nodes if node not in curves and (_is_curve(node) or _is_from(case, node))]
        for weight, node in enumerate((*curves, *others)):
            whole = Hypothesis(
                self.cause,
                f"the values before {node.op_type} '{node.name}'",
                f"Apply {node.op_type} to the result.",
                {"activation": node.op_type},
                (node_skipped(node, int(_is_from(case, node))),),
                line=lines.result if node in case.redo.tail() else lines.before_sum,
                weight=1.0 if node in curves else 0.9 + weight / 1000.0,
                in_pairs=True,
            )
            yield whole
            yield from in_parts(case, whole)
        yield from of_parts(case, self.cause)
        for found in filter(None, (normalised(case, node) for node in case.redo.nodes)):
            for root in ROOTLESS:
                yield Hypothesis(
                    self.cause, f"a normalisation divided by {root}, not by {found.root}", f"Divide by {found.root}.",
                    {"activation": "Sqrt"}, (found.change(root=root),),
                    line=lines.first(lines.called("sqrt", "inversesqrt", "pow"), lines.division),
                )  # fmt: skip


def _is_curve(node: Node) -> bool:
    made = [name for name in node.inputs if name]
    return len(made) == 1 and facts_of(node).pointwise and not facts_of(node).keeps_order


def _is_from(case: Case, node: Node) -> bool:
    """Whether it takes a number's distance from, or share of, a constant one, such as 1 - x."""
    graph = case.redo.graph
    held = [name for name in node.inputs[:1] if graph is not None and name in graph.constants]
    return bool(held) and facts_of(node).is_ordered and case.redo.values[held[0]].size == 1
