"""Tests a call in another process: its answer, its errors, and its end before its work is done."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest

from tests.child_processes import children
from texelscope.pipeline.deadline import DeadlineError, unless, within
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.costly import may_take_long
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.workers.apart import WorkerEndedError, in_a_process


def test_what_a_process_makes_or_refuses_comes_back() -> None:
    assert in_a_process("math:hypot", (3.0, 4.0), "a sum") == 5.0
    node = Node("m", "MatMul", ("a", "b"), ("y",), attributes={}, opset=17)
    twos = [np.zeros((2, 3), np.float32)] * 2
    told = r"^MatMul 'm': expected inputs that the operator accepts, got float32\[2, 3\]"
    with pytest.raises(TexelscopeError, match=told):
        in_a_process("texelscope.pipeline.oracle.reference:evaluated_here", (node, twos, True), "a product")


def test_a_process_that_is_killed_is_an_error_of_one_line() -> None:
    told = "^a bomb: expected work that comes to its end, got a process "
    with pytest.raises(WorkerEndedError, match=rf"{told}ended by SIGKILL\. Leave it out or make it less\.$"):
        in_a_process("os:kill", (0, signal.SIGKILL), "a bomb")  # 0: all of its group, which is its own
    with pytest.raises(WorkerEndedError, match=f"{told}that failed with code 1"):
        in_a_process("os:abolish", (), "a bomb")


def test_a_process_ends_with_its_time_and_when_nobody_wants_it() -> None:
    began, before = time.monotonic(), children()
    with within(0.3, "sleeping"), pytest.raises(DeadlineError, match=r"^sleeping: expected to be done in time"):
        in_a_process("time:sleep", (60,), "sleep")
    event = threading.Event()
    threading.Timer(0.3, event.set).start()
    with unless(event.is_set), pytest.raises(CancelledError):
        in_a_process("time:sleep", (60,), "sleep")
    assert time.monotonic() - began < 10
    assert children() <= before  # those of other tests


def test_what_is_costly_is_evaluated_apart_and_ends_in_time() -> None:
    big = np.ones((3000, 3000), np.float32)
    node = Node("m", "MatMul", ("a", "b"), ("y",), opset=17)
    assert may_take_long(node, [big, big])
    told = r"^evaluating MatMul 'm': expected to be done in time, got more than 0.1 s\. Give it longer with --timeout"
    began = time.monotonic()
    with within(0.1, "evaluating MatMul 'm'"), pytest.raises(DeadlineError, match=told):
        Reference().run_node(node, [big, big])
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("op_type", "shapes", "expected"),
    [
        ("Relu", [(1, 64, 256, 256)], False),
        ("Conv", [(1, 512, 64, 64), (512, 512, 3, 3)], False),
        ("MatMul", [(1024, 1024), (1024, 1024)], False),
        ("MatMul", [(8192, 8192), (8192, 8192)], True),
        ("Gemm", [(8192, 8192), (8192, 8192), (8192,)], True),
        ("NegativeLogLikelihoodLoss", [(3, 50_000, 60, 6), (3, 60, 6)], True),
        ("ReduceMax", [(1, 64, 256, 256)], False),
    ],
)
def test_what_may_take_long_is_told_before(op_type: str, shapes: list[tuple[int, ...]], expected: bool) -> None:
    inputs = [np.broadcast_to(np.float32(0), shape) for shape in shapes]
    node = Node("n", op_type, tuple("abc"[: len(shapes)]), ("y",), opset=17)
    assert may_take_long(node, inputs) is expected


def test_an_einsum_is_as_much_as_its_letters() -> None:
    node = Node("e", "Einsum", ("a", "b"), ("y",), attributes={"equation": "ij, jk -> ik"}, opset=17)
    for size, expected in ((100, False), (8192, True)):
        assert may_take_long(node, [np.broadcast_to(np.float32(0), (size, size))] * 2) is expected


def test_few_numbers_that_say_how_much_count() -> None:
    node = Node("w", "MelWeightMatrix", ("a",), ("y",), opset=17)
    assert may_take_long(node, [np.array(10_000_000)])
    assert not may_take_long(node, [np.array(100)])
