"""RNN, GRU and LSTM, back through time."""

from __future__ import annotations

from collections.abc import Callable

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.recurrence import Direction, DirectionGradients, all_states, give_all

_C = 6


def _through(gates: int, back: Callable[[Direction], DirectionGradients]) -> Callable[[Backward], None]:
    def write(node: Backward) -> None:
        states = all_states(node)
        ways = [Direction(node, gates, d, states) for d in range(node.shape(1)[0])]
        give_all(node, ways, [back(way) for way in ways])

    return write


def _rnn(way: Direction) -> DirectionGradients:
    """h = f(a): da = dh · f'(a), and da · R goes on to the step before."""
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
    """h = (1 − z) · g + z · h₀, where g sees h₀ through the gate r: before its product with R, or after."""
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
    """h = o · k(c), c = f · c₀ + i · g."""
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


DERIVATIVES = {"RNN": _through(1, _rnn), "GRU": _through(3, _gru), "LSTM": _through(4, _lstm)}
FLAT = ()
