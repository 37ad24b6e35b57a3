"""Gradients of convolutions by their weights in a plan: a convolution between transpositions as one sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from pipeline.device import Limits
from pipeline.forms.backend import dispatches
from pipeline.forms.finish import has_groups
from pipeline.forms.form import Form
from pipeline.forms.fused.weight_form import WeightSum, weight_form
from pipeline.forms.window_sum import pair
from pipeline.graph import Graph, Node
from pipeline.operators.base import Call
from pipeline.operators.windows import window
from pipeline.plan import Pass, Plan

_CHANNELS_FIRST = (1, 0, 2, 3)


def weight_forms(
    plan: Plan, graph: Graph, limits: Limits, keep: Collection[str], refused: Collection[str]
) -> list[Form]:
    """A form for each, whose last pass makes what it writes; nobody else reads what the passes before that make.

    None where forms are dispatches: what these draws cost there nobody has measured. `keep` are keys that somebody
    reads, `refused` the passes that run by their own programs.
    """
    if dispatches(plan.backend, limits):
        return []
    found = _Finder(plan, graph, keep, refused)
    return [weight_form(sum_, output, covers, plan.textures, limits) for sum_, output, covers in found.sums()]


class _Finder:
    def __init__(self, plan: Plan, graph: Graph, keep: Collection[str], refused: Collection[str]) -> None:
        self._plan = plan
        self._graph = graph
        self._keep = keep
        self._nodes: Mapping[str, Node] = {node.name: node for node in graph.nodes}
        self._passes = [each for each in plan.passes if each.from_operator and each.name not in refused]
        self._made_by = {each.output: each for each in self._passes}
        self._uses = Counter(key for each in plan.passes for key in each.reads)
        self._read_by = {key: each for each in self._passes for key in each.reads}

    def sums(self) -> list[tuple[WeightSum, str, tuple[str, ...]]]:
        """The sums, the key that each makes and the passes that it covers."""
        found = []
        for each in self._passes:
            node = self._node(each)
            if node.op_type != "Conv" or node.domain or len(each.reads) != 2 or not self._is_inner(each.output):
                continue
            before = [self._swapped(key) for key in node.inputs[:2]]
            after = self._read_by.get(each.output)
            if after is None or None in before or not self._is_swap(after):
                continue
            x, d = (self._node(swap).inputs[0] for swap in before if swap is not None)
            sum_ = self._sum(Call(node, self._graph), x, d)
            if sum_ is not None and all(has_groups(self._plan.textures[key]) for key in (x, d, after.output)):
                names = (*(swap.name for swap in before if swap is not None), each.name, after.name)
                found.append((sum_, after.output, names))
        return found

    def _node(self, each: Pass) -> Node:
        return self._nodes[each.nodes[0]]

    def _is_inner(self, key: str) -> bool:
        return self._uses[key] == 1 and key not in self._keep

    def _swapped(self, key: str) -> Pass | None:
        """The pass that swaps the first two axes into the tensor, which nobody else reads."""
        each = self._made_by.get(key)
        return each if each is not None and self._is_inner(key) and self._is_swap(each) else None

    def _is_swap(self, each: Pass) -> bool:
        node = self._node(each)
        return node.op_type == "Transpose" and tuple(node.attributes.get("perm", ())) == _CHANNELS_FIRST

    def _sum(self, call: Call, x: str, d: str) -> WeightSum | None:
        """What the convolution sums over the tensors before they were swapped; None of groups."""
        shapes, taps = [self._graph.tensors[key].shape for key in (x, d)], call.output_shape()[2:]
        if int(call.attribute("group", 1)) > 1:
            return None
        found = window(call, call.shape(1)[2:])
        geometry = (pair(each) for each in (taps, found.dilation, found.stride, found.pad_before))
        sum_ = WeightSum(x, d, shapes[0], shapes[1], *geometry)
        return sum_ if sum_.is_known else None
