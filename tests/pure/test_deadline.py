"""Deadlines: what runs out of time, or is wanted by nobody any more, ends and says which work it was."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from math import inf
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import texelscope.pipeline.importers.registry as registry
from texelscope.command_line import main
from texelscope.pipeline.arithmetic.workers import Workers
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.deadline import DeadlineError, check, left, phase, unless, within
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.oracle.node_evaluator import NodeEvaluator
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.quotas import Quotas, allowing, with_seconds
from texelscope.pipeline.target import OpenOptions


def _chain(count: int) -> onnx.ModelProto:
    names = ["x", *(f"t{i}" for i in range(count))]
    nodes = [helper.make_node("Relu", [a], [b], b) for a, b in pairwise(names)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 1, 2, 2]) for name in (names[0], names[-1])]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _passing(monkeypatch: pytest.MonkeyPatch, seconds: float) -> Callable[[], float]:
    """A clock by which each look at it takes so long."""
    now = [0.0]

    def clock() -> float:
        now[0] += seconds
        return now[0]

    monkeypatch.setattr("texelscope.pipeline.deadline.time.monotonic", clock)
    return clock


def test_work_without_a_deadline_goes_on() -> None:
    check()
    assert left() is None


def test_work_that_takes_too_long_says_what_it_was_and_what_to_do() -> None:
    told = "^opening a: expected to be done in time, got more than 0 s. Give it longer with --timeout SECONDS.$"
    with within(0, "opening a"), pytest.raises(DeadlineError, match=told):
        check()
    check()


def test_the_earlier_of_two_deadlines_holds() -> None:
    with within(0, "all"), within(9, "a part"):
        assert left() == 0.0
        with pytest.raises(DeadlineError, match=r"^all: "):
            check()
    with within(9, "all"), within(0, "a part"), pytest.raises(DeadlineError, match=r"^a part: "):
        check()


def test_what_nobody_wants_any_more_ends_whoever_says_so() -> None:
    outer, inner = threading.Event(), threading.Event()
    with unless(outer.is_set), within(9, "a part"), within(9, "a smaller one", inner.is_set):
        check()
        for event in (outer, inner):
            event.set()
            with pytest.raises(CancelledError):
                check()
            event.clear()
    with unless(outer.is_set):
        assert left() is None


def test_a_phase_has_the_seconds_of_its_quota() -> None:
    with allowing(Quotas(opening_seconds=7)), phase("opening_seconds", "opening"):
        assert 6.0 < (left() or inf) <= 7.0
    quotas = with_seconds(Quotas(nodes=3), 1.2)
    assert (quotas.nodes, quotas.opening_seconds, quotas.node_seconds) == (3, 2, 2)


def test_blocks_in_threads_end_with_what_asked_for_them() -> None:
    done: list[int] = []
    stopped = threading.Event()

    def work(item: int) -> None:
        done.append(item)
        stopped.set()

    with unless(stopped.is_set), pytest.raises(CancelledError):
        Workers(2).each(work, range(1000))
    assert len(done) < 1000


@pytest.mark.parametrize(
    ("quotas", "told"),
    [
        (Quotas(opening_seconds=1), "^opening a model in memory: expected to be done in time, got more than 1 s"),
        (Quotas(planning_seconds=1), "^planning chain: expected to be done in time, got more than 1 s"),
    ],
)
def test_opening_and_planning_end_in_time(quotas: Quotas, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _passing(monkeypatch, 0.01)
    with pytest.raises(DeadlineError, match=told):
        registry.plan_of(_chain(200), OpenOptions(quotas=quotas))


def test_folding_constants_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    model = _chain(20)
    model.graph.initializer.append(helper.make_tensor("x", TensorProto.FLOAT, [1, 1, 2, 2], [0.0] * 4))
    _passing(monkeypatch, 0.02)
    told = "^folding constants of chain: expected to be done in time, got more than"
    with pytest.raises(DeadlineError, match=told):
        registry.plan_of(model, OpenOptions(quotas=Quotas(folding_seconds=1)))


def test_what_the_oracle_has_no_time_for_is_a_gap_and_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = registry.plan_of(_chain(3), OpenOptions())
    assert plan.graph is not None
    oracle, gaps = GraphOracle(plan.graph), dict[str, str]()
    x = np.zeros((1, 1, 2, 2), np.float32)
    evaluated = []

    def late(_: NodeEvaluator, node: Node, inputs: object, who: str) -> None:
        evaluated.append(node.name)
        check()

    monkeypatch.setattr(NodeEvaluator, "run", late)
    clock = _passing(monkeypatch, 0.6)
    with allowing(Quotas(node_seconds=1)):
        assert set(oracle.chained({"x": x}, gaps=gaps)) == {"x"}
        with pytest.raises(DeadlineError, match=r"^evaluating Relu 't0': expected to be done in time"):
            oracle.isolated({"x": x}, "t0")
    assert gaps["t0"].startswith("evaluating Relu 't0': expected to be done in time, got more than 1 s.")
    assert gaps["t1"] == "Comes after 't0', which the oracle could not evaluate."
    assert evaluated == ["t0"]
    assert clock() > 0


def test_comparing_ends_when_the_command_does() -> None:
    plan = registry.plan_of(_chain(2), OpenOptions())
    capture = Capture(plan.name, DeviceInfo("none", "none"), {"x": np.zeros((1, 1, 2, 2), np.float32)}, {}, {})
    with within(0, "diff"), pytest.raises(DeadlineError, match=r"^diff: expected to be done in time"):
        Comparer(plan).compare(capture)


def test_a_cancelled_evaluation_is_no_fault_of_its_node() -> None:
    node = Node("relu", "Relu", ("x",), ("y",), opset=17)
    with unless(lambda: True), pytest.raises(CancelledError):
        Reference().run_node(node, [np.zeros(3, np.float32)])


def test_a_command_takes_a_timeout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    onnx.save(_chain(300), tmp_path / "chain.onnx")
    began = time.monotonic()
    assert main(["eject", str(tmp_path / "chain.onnx"), "--to", str(tmp_path / "out"), "--timeout", "0.05"]) == 2
    assert time.monotonic() - began < 5
    told = "texelscope: eject: expected to be done in time, got more than 0.05 s. Give it longer with"
    assert capsys.readouterr().err.startswith(told)
    assert not (tmp_path / "out").exists()
