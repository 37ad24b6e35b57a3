"""The form of one pass alone: the same tensor in the same texture, faster."""

from __future__ import annotations

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.lowerings.backend import best_form, dispatches
from texelscope.pipeline.lowerings.dispatched import dispatched, drawn
from texelscope.pipeline.lowerings.finish import ChannelParameter, Finish, Operation, ValueStore, has_groups
from texelscope.pipeline.lowerings.given_weights import can_pack
from texelscope.pipeline.lowerings.lowering import Constants, Lowering, Numbers
from texelscope.pipeline.lowerings.products import product_form, product_of
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering, window_sum
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, Plan

# Images that a fragment writes, and bindings in the text.
NEEDS_VERSION = 430


def solo_forms(plan: Plan, limits: Limits) -> dict[str, Lowering]:
    """By pass, the form that computes its output alone; passes without one are not in it.

    Raises TexelscopeError where the plan asks for dispatches and the driver has none.
    """
    in_dispatches = dispatches(plan.backend, limits)
    graph = plan.graph
    if graph is None or limits.version < NEEDS_VERSION:
        return {}
    nodes = {node.name: node for node in graph.nodes}
    found: dict[str, Lowering | None] = {}
    for each in plan.passes:
        if not each.from_operator:
            continue
        node = nodes[each.nodes[0]]
        form = _form(each, node, graph, plan, limits)
        if form is None and in_dispatches:
            product = product_of(Call(node, graph))
            form = product_form(product, each.output, each.name, plan.textures, limits) if product else None
            form = form or dispatched(each, plan.textures)
        elif form is None and not limits.is_software:
            form = drawn(each, plan.textures)
        found[each.name] = form
    return {name: form for name, form in found.items() if form is not None}


def _form(each: Pass, node: Node, graph: Graph, plan: Plan, limits: Limits) -> Lowering | None:
    found = window_sum(Call(node, graph))
    output, x = node.outputs[0], node.inputs[0]
    textures = plan.textures
    if (
        found is None
        or not takes_weights(found, plan, limits)
        or not all(key in textures and has_groups(textures[key]) for key in (x, output))
    ):
        return None
    operations = (bias_of(found),) if found.bias else ()
    finish = Finish(operations, (ValueStore(len(operations), output),))
    return best_form(found, x, finish, (each.name,), textures, limits, plan.backend)


def takes_weights(sum_: WindowSumLowering, plan: Plan, limits: Limits) -> bool:
    """Whether the weights are constants, or of a tensor that a draw can pack before it sums."""
    return not sum_.varies or (can_pack(sum_, plan.textures) and not dispatches(plan.backend, limits))


def bias_of(sum_: WindowSumLowering) -> Operation:
    """The bias, a number a channel, added to the sum."""

    def make(constant: Constants) -> Numbers:
        return constant(sum_.bias).reshape(-1)

    return Operation("{0} + {p0}", (0,), (ChannelParameter(sum_.bias, make),))
