"""Tests the memory of a run's textures, and the largest set of tensors that is alive at once."""

from __future__ import annotations

import pytest

from tests.pure.models import array, model, node, value
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.planning.memory import PlannedRun, largest_alive, memory_use, steps_of, texture_bytes
from texelscope.pipeline.planning.planner import plan_graph

SHAPE = (1, 4, 8, 8)
ONE = 4 * 8 * 8 * 4  # bytes of such a tensor, float32, without padding


def chain(count: int) -> list[PlannedRun]:
    """Returns x → t0 → t1 → …"""
    names = ["x", *(f"t{i}" for i in range(count))]
    return [PlannedRun(f"p{i}", (names[i],), (names[i + 1],)) for i in range(count)]


class TestLargestAlive:
    """Tests sets of tensors made by hand."""

    def test_a_chain_has_two_alive(self) -> None:
        found = largest_alive(chain(5), {f"t{i}": 10 for i in range(5)}, ["t4"])
        assert found is not None
        assert (found.step, found.keys, found.bytes) == ("p1", ("t0", "t1"), 20)

    def test_the_largest_pair_counts_not_the_largest_tensor(self) -> None:
        found = largest_alive(chain(4), {"t0": 5, "t1": 50, "t2": 7, "t3": 40}, ["t3"])
        assert found is not None
        assert (found.step, found.bytes) == ("p2", 57)

    def test_what_a_later_step_reads_stays_meanwhile(self) -> None:
        skip = [*chain(4), PlannedRun("join", ("t0", "t3"), ("y",))]
        found = largest_alive(skip, {**{f"t{i}": 10 for i in range(4)}, "y": 1}, ["y"])
        assert found is not None
        assert found.bytes == 30
        assert "t0" in found.keys

    def test_what_is_kept_lives_to_the_end(self) -> None:
        sizes = {f"t{i}": 10 for i in range(4)}
        found = largest_alive(chain(4), sizes, ["t0", "t1", "t3"])
        assert found is not None
        assert (found.step, found.bytes) == ("p3", 40)

    def test_what_nobody_reads_is_gone_after_its_step(self) -> None:
        steps = [PlannedRun("a", (), ("dead", "t")), PlannedRun("b", ("t",), ("y",))]
        found = largest_alive(steps, {"dead": 10, "t": 10, "y": 15}, ["y"])
        assert found is not None
        assert (found.step, found.bytes) == ("b", 25)

    def test_what_was_put_in_lives_from_the_beginning(self) -> None:
        steps = [*chain(2), PlannedRun("late", ("given", "t1"), ("y",))]
        found = largest_alive(steps, {"t0": 1, "t1": 1, "given": 100, "y": 1}, ["y"])
        assert found is not None
        assert (found.step, found.bytes) == ("p1", 102)

    def test_a_tensor_that_no_step_knows_does_not_count(self) -> None:
        found = largest_alive(chain(1), {"t0": 1, "gap": 100}, ["t0", "gap"])
        assert found is not None
        assert found.bytes == 1

    def test_nothing_runs(self) -> None:
        assert largest_alive([], {"t": 1}, []) is None


@pytest.fixture(scope="module")
def skipping() -> Graph:
    """Returns x → a → b → c, and y = a + c."""
    nodes = [
        node("Mul", "x w", "a", "scale"),
        node("Relu", "a", "b", "rest"),
        node("Abs", "b", "c", "size"),
        node("Add", "a c", "y", "join"),
    ]
    made = model(nodes, [value("x", SHAPE)], [value("y", SHAPE)], weights={"w": array(*SHAPE)})
    return load(made)


class TestPlan:
    """Tests a plan's textures."""

    def test_roles_apart(self, skipping: Graph) -> None:
        plan = plan_graph(skipping, layout="channel_tiles")
        found = memory_use(plan)
        assert (found.inputs, found.constants, found.activations) == (ONE, ONE, 4 * ONE)
        assert found.total == sum(texture_bytes(each) for each in plan.textures.values())

    def test_the_least_of_a_plan(self, skipping: Graph) -> None:
        found = memory_use(plan_graph(skipping, layout="channel_tiles"))
        assert found.largest is not None
        assert found.largest.keys == ("a", "b", "c")
        assert found.largest.bytes == 3 * ONE
        assert found.least == 5 * ONE

    def test_fused_steps_need_less(self, skipping: Graph) -> None:
        plan = plan_graph(skipping, layout="channel_tiles")
        scale, *_, join = steps_of(plan)
        fused = [scale, PlannedRun("rest, size, join", ("a",), join.writes)]
        found = memory_use(plan, fused)
        assert found.largest is not None
        assert found.largest.keys == ("a", "y")

    def test_half_precision_takes_half(self, skipping: Graph) -> None:
        whole = memory_use(plan_graph(skipping, layout="channel_tiles"))
        half = memory_use(plan_graph(skipping, layout="channel_tiles", precision="float16"))
        assert 2 * half.total == whole.total
        assert 2 * half.least == whole.least
