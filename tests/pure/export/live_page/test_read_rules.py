"""Rules of what an operator should read: right for every element where there is one, and none otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.export.live_page import read_rules as rules_module
from texelscope.pipeline.export.live_page.read_rules import InputRule, read_rules, written_rule
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.read_trace.expected import expected_reads

LONG = 60.0


def planned(*nodes: onnx.NodeProto, x: tuple[int, ...], y: tuple[int, ...], **constants: Any) -> Plan:
    return pipeline.plan_of(
        model(list(nodes), [value("x", x)], [value("y", y)], weights=constants), layout="channel_tiles"
    )


def conv() -> Plan:
    made = node("Conv", "x w b", "y", pads=[1, 1, 1, 1], strides=[2, 2])
    return planned(made, x=(1, 3, 7, 6), y=(1, 4, 4, 3), w=array(4, 3, 3, 3), b=array(4))


def concat() -> Plan:
    nodes = node("Relu", "x", "r"), node("Concat", "x r", "y", axis=1)
    return planned(*nodes, x=(1, 3, 4, 5), y=(1, 6, 4, 5))


def elements_of(rule: InputRule, plan: Plan, at: Any) -> frozenset[int]:
    block = rule.block(at)
    if block is None:
        return frozenset()
    dims = as_nchw(plan.textures[rule.key].shape)
    return frozenset(np.ravel_multi_index(np.ix_(*map(np.array, block)), dims).reshape(-1).tolist())


@pytest.mark.parametrize("make", [conv, concat])
def test_a_rule_gives_every_elements_reads(make: Any) -> None:
    plan = make()
    last = plan.passes[-1]
    rules = read_rules(plan, last, LONG)
    assert {rule.key for rule in rules} == set(last.reads)
    dims = as_nchw(plan.textures[last.output].shape)
    for element in range(int(np.prod(dims))):
        at = tuple(int(i) for i in np.unravel_index(element, dims))
        expected = expected_reads(plan.graph, last, plan.textures, element)
        assert expected is not None
        for rule in rules:
            assert elements_of(rule, plan, at) == expected.get(rule.key, frozenset())


def test_where_two_axes_decide_there_is_no_rule() -> None:
    plan = planned(node("Reshape", "x s", "y"), x=(1, 1, 4, 6), y=(1, 1, 3, 8), s=np.array([1, 1, 3, 8]))
    assert read_rules(plan, plan.passes[-1], LONG) == ()


def test_a_rule_that_fails_elsewhere_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = conv()
    right = expected_reads

    def but_for_a_corner(graph: Any, shader_pass: Any, textures: Any, element: int) -> Any:
        found = right(graph, shader_pass, textures, element)
        return {key: elements - {0} for key, elements in found.items()} if element == 0 and found else found

    monkeypatch.setattr(rules_module, "expected_reads", but_for_a_corner)
    assert read_rules(plan, plan.passes[-1], LONG) == ()


def test_without_time_there_is_no_rule() -> None:
    plan = conv()
    assert read_rules(plan, plan.passes[-1], 0.0) == ()


def test_equally_spaced_indices_are_written_short() -> None:
    plan = conv()
    rule = next(each for each in read_rules(plan, plan.passes[-1], LONG) if each.key == "x")
    data = written_rule(rule, (1, 3, 7, 6), 5)
    assert data["texture"] == 5
    assert data["axes"][1] == [-1, [[0, 3, 1]]]
    assert data["axes"][2] == [2, [[0, 2, 1], [1, 3, 1], [3, 3, 1], [5, 2, 1]]]
