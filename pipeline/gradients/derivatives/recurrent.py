"""Differentiates RNN, GRU and LSTM, back through time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape

# The most steps of all directions together; each is a dozen passes and more.
MOST_STEPS = 128
_DEFAULTS = {1: ("Tanh",), 3: ("Sigmoid", "Tanh"), 4: ("Sigmoid", "Tanh", "Tanh")}
# Positions of the inputs and outputs of all three operators.
_X, _W, _R, _B, _LENGTHS, _H, _C, _PEEPHOLES = range(8)


@dataclass(frozen=True)
class DirectionGradients:
    """Holds the results of one direction: gradients of its gates and states.

    `gates` [n, b, g · h] are those of the sums that the input's share is part of, `own` [n, b, g · h] those of the
    sums that the state's share is part of (the same but in a GRU with linear_before_reset), `d_r` [g · h, h] that of
    the state's weights if it is not own ᵀ · the states before. `h` and `c` [1, b, h] are those of the first states.
    """

    gates: str
    own: str
    h: str
    c: str = ""
    d_r: str = ""


def all_states(node: Backward) -> str:
    """Returns Y, computed again if the node does not output it."""
    if node.makes(0):
        return node.y(0)
    said = node.some("direction", "hidden_size", "layout", "linear_before_reset")
    inputs = [node.x(at) if node.has(at) else "" for at in range(len(node.inputs))]
    return node.add(node.op_type, *inputs, label="again", **said)


class Direction:
    """Holds the tensors of direction `d`; `states` is Y, the node's first output."""

    def __init__(self, node: Backward, gates: int, d: int, states: str) -> None:
        self.node, self.gates, self.d = node, gates, d
        self.directions = node.shape(_W)[0]
        self.batchwise = bool(node.attribute("layout", 0))
        first, second, self.size = node.shape(_X)
        self.n, self.b = (second, first) if self.batchwise else (first, second)
        self.h = node.shape(_R)[2]
        own = _DEFAULTS[gates]
        given = tuple(node.attribute("activations", None) or own * self.directions)
        self.activations = given[d * len(own) : (d + 1) * len(own)]
        self._check()
        self.x = self._steps_first(node.x(_X), (1, 0, 2), "x_steps")
        self.w, self.r = (self.part(node.x(at), self._matrix(at), 0, label) for at, label in ((_W, "w"), (_R, "r")))
        self.before = self._before(states)

    def _check(self) -> None:
        node = self.node
        if self.n * self.directions > MOST_STEPS:
            do_next = "Use fewer steps with --shape, or cut the sequence."
            raise node.refusal(f"gradients through at most {MOST_STEPS} steps", str(self.n * self.directions), do_next)
        if self.activations != _DEFAULTS[self.gates]:
            do_next = "Re-export the model without custom activations."
            raise node.refusal(
                f"activations of {', '.join(_DEFAULTS[self.gates])}", ", ".join(self.activations), do_next
            )
        for is_there, what in (
            (bool(node.attribute("clip", 0.0)), "clip"),
            (bool(node.attribute("input_forget", 0)), "input_forget"),
            (node.has(_PEEPHOLES), "peepholes"),
            (self.batchwise and (node.has(_H) or node.has(_C)), "initial states with layout 1"),
        ):
            if is_there:
                raise node.refusal("gradients of a plain recurrence", what, "Re-export the model without.")
        if node.has(_LENGTHS) and np.any(node.value(_LENGTHS, "lengths of sequences") != self.n):
            raise node.refusal("sequences of one length", "some that are shorter", "Give sequences of one length.")

    @property
    def from_the_end(self) -> bool:
        """Whether the forward run traversed the sequence from its end."""
        return self.d == 1 or self.node.attribute("direction", "forward") == "reverse"

    @property
    def order(self) -> Sequence[int]:
        """Returns the steps, the last of the forward run first."""
        return range(self.n) if self.from_the_end else range(self.n)[::-1]

    # -- tensors ---------------------------------------------------------------------------------------------

    def bias(self, half: int) -> str:
        """Returns the input's bias (0) or the state's (1) [g · h]; empty without."""
        if not self.node.has(_B):
            return ""
        width = self.gates * self.h
        whole = self.part(self.node.x(_B), (2 * width,), 0, "b")
        return self.cut(whole, half * width, width, 0, label=f"b_{half}")

    def first_state(self, position: int) -> str:
        """Returns the initial state [1, b, h] of the sequence."""
        if not self.node.has(position):
            return self.zeros()
        return self.part(self.node.x(position), (1, self.b, self.h), 0, f"first_{position}")

    def zeros(self) -> str:
        """Returns zeros [1, b, h]."""
        return self.node.filled(0.0, (1, self.b, self.h), label="zeros")

    def states_before(self, states: Sequence[str], first: str) -> str:
        """Returns [n, b, h], each step's initial state, from the steps' results [1, b, h] in the sequence's order."""
        moved = (*states[1:], first) if self.from_the_end else (first, *states[:-1])
        return self.joined(moved, 0, "before")

    def _before(self, states: str) -> str:
        if self.n == 1:
            return self.first_state(_H)
        y = self._steps_first(states, (1, 2, 0, 3), "y")
        y = self.part(y, (self.n, self.b, self.h), 1, "states")
        kept = self.cut(y, 1 if self.from_the_end else 0, self.n - 1, 0, label="kept")
        return self.states_before((kept, kept), self.first_state(_H))

    def arriving(self) -> list[str]:
        """Returns the gradient of each step's state [1, b, h] from the first output; empty without one."""
        if not self.node.arrives(0):
            return [""] * self.n
        dy = self._steps_first(self.node.dy(0), (1, 2, 0, 3), "dy_steps")
        return self.steps(self.part(dy, (self.n, self.b, self.h), 1, "dy_own"), "dy")

    def last(self, position: int) -> str:
        """Returns the gradient of the last state [1, b, h], from the output at `position`; empty without one."""
        if not self.node.arrives(position):
            return ""
        dy = self._steps_first(self.node.dy(position), (1, 0, 2), "dy_last")
        return self.part(dy, (1, self.b, self.h), 0, f"dy_{position}")

    def _steps_first(self, tensor: str, order: Sequence[int], label: str) -> str:
        return self.node.transposed(tensor, order, label=label) if self.batchwise else tensor

    def _matrix(self, position: int) -> Shape:
        return self.node.shape(position)[1:]

    # -- nodes -----------------------------------------------------------------------------------------------

    def part(self, tensor: str, shape: Shape, axis: int, label: str) -> str:
        """Returns this direction's part of a tensor along an axis of directions, in `shape`."""
        if self.directions > 1:
            tensor = self.cut(tensor, self.d, 1, axis, label=f"{label}_part")
        return self.node.to_shape(tensor, shape, label=label)

    def cut(self, tensor: str, start: int, size: int, axis: int, label: str) -> str:
        """Cuts `size` elements out of an axis, from `start` on."""
        places = [self.node.whole(place) for place in (start, start + size, axis)]
        return self.node.add("Slice", tensor, *places, label=label)

    def steps(self, tensor: str, label: str) -> list[str]:
        """Splits a tensor [n, …] into steps [1, …]."""
        return self.equal_parts(tensor, self.n, 0, label)

    def equal_parts(self, tensor: str, count: int, axis: int, label: str) -> list[str]:
        """Splits a tensor into equal parts along an axis."""
        if count == 1:
            return [tensor]
        labels = [f"{label}_{place}" for place in range(count)]
        return [*self.node.add_several("Split", tensor, labels=labels, axis=axis, num_outputs=count)]

    def joined(self, tensors: Sequence[str], axis: int, label: str) -> str:
        """Joins tensors along an axis."""
        return tensors[0] if len(tensors) == 1 else self.node.add("Concat", *tensors, label=label, axis=axis)

    def total(self, *tensors: str, label: str = "total") -> str:
        """Adds the tensors that are not empty; zeros [1, b, h] without any."""
        there = [each for each in tensors if each]
        if len(there) < 2:
            return there[0] if there else self.zeros()
        return self.node.add("Sum", *there, label=label)

    def product(self, *tensors: str, label: str) -> str:
        """Multiplies tensors per element."""
        found = tensors[0]
        for each in tensors[1:]:
            found = self.node.add("Mul", found, each, label=label)
        return found

    def share(self, tensor: str, weights: str, bias: str, label: str) -> str:
        """Returns tensor [n, b, k] · weightsᵀ [k, m] + bias [m], the bias left out if it is empty."""
        made = self.node.add("MatMul", tensor, self.node.transposed(weights, (1, 0)), label=label)
        return self.node.add("Add", made, bias, label=f"{label}_biased") if bias else made

    def activated(self, which: int, tensor: str, label: str) -> tuple[str, str]:
        """Returns the activation at place `which`, and its slope there."""
        node, name = self.node, self.activations[which]
        y, one = node.add(name, tensor, label=label), node.constant(1.0, label="one")
        square = node.add("Mul", y, y, label=f"{label}_square")
        return y, node.add("Sub", y if name == "Sigmoid" else one, square, label=f"{label}_slope")

    def weights_of(self, gates: str, width: int, seen: str, columns: int, label: str) -> str:
        """Returns [width, columns]: gates [n, b, width] ᵀ · seen [n, b, columns], over all steps and the batch."""
        count = self.n * self.b
        flat = self.node.to_shape(gates, (count, width), label=f"{label}_gates")
        seen = self.node.to_shape(seen, (count, columns), label=f"{label}_seen")
        return self.node.add("MatMul", self.node.transposed(flat, (1, 0)), seen, label=label)


def give_all(node: Backward, directions: Sequence[Direction], found: Sequence[DirectionGradients]) -> None:
    """Sets the gradients of the node's inputs from the results of its directions."""
    first = directions[0]
    width = first.gates * first.h
    dx = [node.add("MatMul", each.gates, way.w, label="dx_way") for way, each in zip(directions, found, strict=True)]
    order = (1, 0, 2) if first.batchwise else (0, 1, 2)
    node.result(_X, node.transposed(first.total(*dx, label="dx"), order))
    d_w, d_r, d_b = [], [], []
    for way, each in zip(directions, found, strict=True):
        d_w.append(way.weights_of(each.gates, width, way.x, way.size, "dw"))
        d_r.append(each.d_r or way.weights_of(each.own, width, way.before, way.h, "dr"))
        d_b += [node.reduced("ReduceSum", it, (0, 1), keep=False, label="db") for it in (each.gates, each.own)]
    for position, parts in ((_W, d_w), (_R, d_r), (_B, d_b)):
        if node.wants(position):
            node.result(position, node.to_shape(first.joined(parts, 0, "ways"), node.shape(position), label="dp"))
    for position, parts in ((_H, [each.h for each in found]), (_C, [each.c for each in found])):
        if node.wants(position):
            node.result(position, first.joined(parts, 0, "first"))


def _through(gates: int, back: Callable[[Direction], DirectionGradients]) -> Callable[[Backward], None]:
    def write(node: Backward) -> None:
        states = all_states(node)
        ways = [Direction(node, gates, d, states) for d in range(node.shape(1)[0])]
        give_all(node, ways, [back(way) for way in ways])

    return write


def _rnn(way: Direction) -> DirectionGradients:
    """Differentiates h = f(a): da = dh · f'(a), and da · R passes to the step before."""
    sums = way.total(way.share(way.x, way.w, way.bias(0), "of_x"), way.share(way.before, way.r, way.bias(1), "of_h"))
    _, slope = way.activated(0, sums, "state")
    slopes, arriving, carried = way.steps(slope, "slope"), way.arriving(), way.last(1)
    gates = [""] * way.n
    for t in way.order:
        gates[t] = way.product(way.total(arriving[t], carried), slopes[t], label="da")
        carried = way.node.add("MatMul", gates[t], way.r, label="carried")
    joined = way.joined(gates, 0, "gates")
    return DirectionGradients(joined, joined, carried)


def _gru(way: Direction) -> DirectionGradients:
    """Uses h = (1 − z) · g + z · h₀, where g reads h₀ through the gate r, before or after its product with R."""
    node, linear = way.node, bool(way.node.attribute("linear_before_reset", 0))
    of_x = way.equal_parts(way.share(way.x, way.w, way.bias(0), "of_x"), 3, 2, "x_gate")
    of_h = way.equal_parts(way.share(way.before, way.r, way.bias(1), "of_h"), 3, 2, "h_gate")
    upper, lower = way.cut(way.r, 0, 2 * way.h, 0, "r_zr"), way.cut(way.r, 2 * way.h, way.h, 0, "r_hidden")
    z, z_slope = way.activated(0, way.total(of_x[0], of_h[0]), "z")
    r, r_slope = way.activated(0, way.total(of_x[1], of_h[1]), "r")
    seen = of_h[2] if linear else way.before
    reset = way.product(r, seen, label="reset")
    own_bias = "" if linear or not way.bias(1) else way.cut(way.bias(1), 2 * way.h, way.h, 0, "hidden_bias")
    hidden = way.total(of_x[2], reset if linear else way.share(reset, lower, own_bias, "of_reset"))
    g, g_slope = way.activated(1, hidden, "g")
    one = node.constant(1.0, label="one")
    of_g = way.steps(way.product(node.add("Sub", one, z, label="rest"), g_slope, label="to_g"), "to_g")
    of_z = way.steps(way.product(node.add("Sub", way.before, g, label="apart"), z_slope, label="to_z"), "to_z")
    of_r = way.steps(way.product(seen, r_slope, label="to_r"), "to_r")
    kept, let = way.steps(z, "z_step"), way.steps(r, "r_step")
    arriving, carried = way.arriving(), way.last(1)
    gates, own = [""] * way.n, [""] * way.n
    for t in way.order:
        dh = way.total(arriving[t], carried)
        da_z, da_g = way.product(dh, of_z[t], label="da_z"), way.product(dh, of_g[t], label="da_g")
        through = da_g if linear else node.add("MatMul", da_g, lower, label="through_g")
        da_r, shown = (way.product(through, each[t], label="of_reset") for each in (of_r, let))
        gates[t] = way.joined((da_z, da_r, da_g), 2, "da")
        own[t] = way.joined((da_z, da_r, shown), 2, "da_own") if linear else gates[t]
        back = (own[t], way.r) if linear else (way.joined((da_z, da_r), 2, "da_zr"), upper)
        through_gates = node.add("MatMul", *back, label="through_gates")
        carried = way.total(way.product(dh, kept[t], label="kept"), through_gates, "" if linear else shown)
    joined = way.joined(gates, 0, "gates")
    if linear:
        return DirectionGradients(joined, way.joined(own, 0, "own"), carried)
    of_gates = way.weights_of(joined, 3 * way.h, way.before, way.h, "dr_zr")
    of_reset = way.weights_of(joined, 3 * way.h, reset, way.h, "dr_hidden")
    parts = way.cut(of_gates, 0, 2 * way.h, 0, "upper"), way.cut(of_reset, 2 * way.h, way.h, 0, "lower")
    return DirectionGradients(joined, joined, carried, d_r=way.joined(parts, 0, "dr"))


def _lstm(way: Direction) -> DirectionGradients:
    """Differentiates h = o · k(c), c = f · c₀ + i · g."""
    node = way.node
    sums = way.total(way.share(way.x, way.w, way.bias(0), "of_x"), way.share(way.before, way.r, way.bias(1), "of_h"))
    parts = way.equal_parts(sums, 4, 2, "sum")
    (i, i_slope), (o, o_slope), (f, f_slope) = (
        way.activated(0, each, name) for each, name in zip(parts[:3], "iof", strict=True)
    )
    g, g_slope = way.activated(1, parts[3], "g")
    forgets, news = way.steps(f, "f_step"), way.steps(way.product(i, g, label="new"), "new_step")
    cells, cell = [""] * way.n, way.first_state(_C)
    for t in way.order[::-1]:
        cell = cells[t] = way.total(way.product(forgets[t], cell, label="kept"), news[t], label="cell")
    before = way.states_before(cells, way.first_state(_C))
    shown, shown_slope = way.activated(2, way.joined(cells, 0, "cells"), "shown")
    of_c = way.steps(way.product(o, shown_slope, label="to_c"), "to_c")
    pairs = ((g, i_slope), (shown, o_slope), (before, f_slope), (i, g_slope))
    slopes = way.joined([way.product(*pair, label="slope") for pair in pairs], 2, "slopes")
    of_gates = way.steps(slopes, "to_gates")
    arriving, carried, carried_c = way.arriving(), way.last(1), way.last(2)
    gates = [""] * way.n
    for t in way.order:
        dh = way.total(arriving[t], carried)
        dc = way.total(way.product(dh, of_c[t], label="dc"), carried_c)
        gates[t] = way.product(way.joined((dc, dh, dc, dc), 2, "four"), of_gates[t], label="da")
        carried, carried_c = node.add("MatMul", gates[t], way.r), way.product(dc, forgets[t], label="carried_c")
    joined = way.joined(gates, 0, "gates")
    return DirectionGradients(joined, joined, carried, carried_c)


DERIVATIVES = {
    "RNN": _through(1, _rnn),
    "GRU": _through(3, _gru),
    "LSTM": _through(4, _lstm),
}
