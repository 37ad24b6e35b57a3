"""The form of one pass alone: the same tensor in the same texture, faster."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.device import Limits
from pipeline.forms.finish import Finish, Operation, Parameter, Store, has_groups
from pipeline.forms.form import Constants, Form, Numbers
from pipeline.forms.sums import sum_form
from pipeline.forms.window_sum import WindowSum, window_sum
from pipeline.graph import Graph, Node
from pipeline.operators.base import Call
from pipeline.plan import Plan, StoredTensor

# Images that a fragment writes, and bindings in the text.
NEEDS_VERSION = 430


def solo_forms(plan: Plan, limits: Limits) -> dict[str, Form]:
    """By pass, the form that computes its output alone; passes without one are not in it."""
    graph = plan.graph
    if graph is None or limits.version < NEEDS_VERSION:
        return {}
    nodes = {node.name: node for node in graph.nodes}
    found = {
        each.name: _form(each.name, nodes[each.nodes[0]], graph, plan.textures)
        for each in plan.passes
        if each.from_operator
    }
    return {name: form for name, form in found.items() if form is not None}


def _form(name: str, node: Node, graph: Graph, textures: Mapping[str, StoredTensor]) -> Form | None:
    found = window_sum(Call(node, graph))
    output, x = node.outputs[0], node.inputs[0]
    if found is None or not all(key in textures and has_groups(textures[key]) for key in (x, output)):
        return None
    operations = (bias_of(found),) if found.bias else ()
    finish = Finish(operations, (Store(len(operations), output),))
    return sum_form(found, x, finish, (name,), textures)


def bias_of(sum_: WindowSum) -> Operation:
    """The bias, a number a channel, added to the sum."""

    def make(constant: Constants) -> Numbers:
        return constant(sum_.bias).reshape(-1)

    return Operation("{0} + {p0}", (0,), (Parameter(sum_.bias, make),))
