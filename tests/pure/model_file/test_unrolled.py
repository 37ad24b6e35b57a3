"""Control flow, sequences and optional values in plain nodes; what they hang on is known, or it is said why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

from tests.pure.models import model, node, value
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.quotas import Quotas, allowing

X = np.arange(12, dtype=np.float32).reshape(3, 4)
BOOL, INT64 = TensorProto.BOOL, TensorProto.INT64


def built(
    nodes: list[onnx.NodeProto],
    *,
    outputs: str = "y",
    weights: dict[str, NDArray[Any]] | None = None,
    values: Mapping[str, NDArray[Any]] | None = None,
    inputs: tuple[onnx.ValueInfoProto, ...] = (),
    opset: int = 17,
) -> Graph:
    """The graph of those nodes on x [3, 4]."""
    made = [value(name, None) for name in outputs.split()]
    whole = model(nodes, [value("x", X.shape), *inputs], made, weights=weights or {}, opset=opset)
    return graph_of(whole, "net", {}, values)


def results(graph: Graph, **given: NDArray[Any]) -> list[NDArray[Any]]:
    """The graph's outputs, by the oracle."""
    found = Reference().run(graph.nodes, {"x": X, **given, **graph.constants}, wanted=graph.outputs)
    return [found[name] for name in graph.outputs]


def why(graph: Graph) -> str:
    """The one reason why something is not in plain nodes."""
    (error,) = graph.refusals.values()
    return str(error)


def scalar(number: int) -> NDArray[Any]:
    return np.array(number, np.int64)


class TestBodies:
    """What a body makes is called after its turn; what it reads from outside is what it was."""

    def loop(self, turns: int) -> Graph:
        inner = helper.make_graph([node("Mul", "w w", "t", "square")], "inner", [], [value("t", None)])
        other = helper.make_graph([node("Add", "w x", "t", "more")], "other", [], [value("t", None)])
        body = helper.make_graph(
            [
                node("Add", "v step", "w", "grow"),
                node("Cast", "i", "odd", to=BOOL),
                node("If", "odd", "z", "pick", then_branch=inner, else_branch=other),
                node("Identity", "go", "on"),
            ],
            "body",
            [value("i", [], INT64), value("go", [], BOOL), value("v", X.shape)],
            [value("on", [], BOOL), value("z", X.shape)],
            [helper.make_tensor("step", 1, [], [0.5])],
        )
        return built(
            [node("Loop", "n go0 x", "y", "loop", body=body)], weights={"n": scalar(turns), "go0": np.array(True)}
        )

    def test_each_turn_has_its_own_nodes_and_constants(self) -> None:
        graph = self.loop(2)
        assert [each.name for each in graph.nodes] == [
            "loop/0/grow", "loop/0/more", "loop/0/pick/loop/0/z", "loop/1/grow", "loop/1/square",
            "loop/1/pick/loop/1/z", "y",
        ]  # fmt: skip
        assert {"loop/0/step", "loop/1/step"} <= graph.constants.keys()

    def test_the_result_is_what_the_loop_says(self) -> None:
        (y,) = results(self.loop(3))
        v = X
        for turn in range(3):
            w = v + 0.5
            v = w * w if turn else w + X
        np.testing.assert_allclose(y, v)

    def test_a_loop_without_a_turn_hands_its_states_on(self) -> None:
        (y,) = results(self.loop(0))
        np.testing.assert_array_equal(y, X)

    @pytest.mark.parametrize(
        "attributes",
        [
            {"num_scan_inputs": 1, "scan_input_axes": [9]},
            {"num_scan_inputs": 1, "scan_input_axes": [0, 1]},
        ],
    )
    def test_what_makes_no_sense_is_told_of_the_node(self, attributes: Mapping[str, Any]) -> None:
        body = helper.make_graph([node("Relu", "v", "w")], "body", [value("v", [3])], [value("w", [3])])
        graph = graph_of(model([node("Scan", "x", "y", "scan", body=body, **attributes)]), "net", {})
        assert "Scan 'scan' (net): expected attributes and shapes that make sense together, got " in why(graph)

    def test_too_many_nodes_are_refused_and_leave_none_behind(self) -> None:
        with allowing(Quotas(loop_nodes=20)):
            graph = self.loop(100)
        assert [each.op_type for each in graph.nodes] == ["Loop"]
        assert why(graph).endswith(
            "expected at most 20 loop nodes, got more of all turns. If you trust it: --limit loop_nodes=40."
        )


class TestBranches:
    """If."""

    def test_two_branches_of_the_same_names_do_not_meet(self) -> None:
        body = helper.make_graph([node("Relu", "x", "t", "act")], "body", [], [value("t", None)])
        nodes = [node("If", "c", out, f"if_{out}", then_branch=body, else_branch=body) for out in "ab"]
        graph = built([*nodes, node("Add", "a b", "y")], weights={"c": np.array(True)})
        assert [each.name for each in graph.nodes] == ["act", "if_a/a", "if_b/act", "if_b/b", "y"]
        np.testing.assert_array_equal(results(graph)[0], 2 * X)

    def test_values_at_hand_decide_and_are_remembered(self) -> None:
        yes = helper.make_graph([node("Neg", "x", "t")], "yes", [], [value("t", None)])
        no = helper.make_graph([node("Abs", "x", "t")], "no", [], [value("t", None)])
        nodes = [
            node("ReduceMax", "x", "most", keepdims=0),
            node("Cast", "most", "c", to=BOOL),
            node("If", "c", "y", then_branch=yes, else_branch=no),
        ]
        graph = built(nodes, values={"x": X})
        assert ([each.op_type for each in graph.nodes][2], dict(graph.decided)) == ("Neg", {"c": np.array(True)})
        graph = built(nodes)
        assert (graph.nodes[2].op_type, graph.undecided) == ("If", ("c",))

    def test_what_nobody_evaluates_is_said(self) -> None:
        body = helper.make_graph([node("Neg", "x", "t")], "body", [], [value("t", None)])
        nodes = [
            node("Mystery", "x", "c", "odd", domain="m"),
            node("If", "c", "y", "if", then_branch=body, else_branch=body),
        ]
        assert why(built(nodes, values={"x": X})) == (
            "If 'if' (net): expected a condition known once the inputs are, got 'c', which depends on Mystery 'odd': "
            "expected an operator of m 1, got 'Mystery'. Go on after it with its value: --inject TENSOR=FILE.npy."
        )
        graph = built(nodes, values={"x": X, "c": np.array(False)})
        assert [each.op_type for each in graph.nodes] == ["Mystery", "Neg", "Identity"]

    def test_a_body_that_is_wrong_is_no_reason_not_to_open_the_rest(self) -> None:
        body = helper.make_graph([node("Add", "x c", "t", "add")], "body", [], [value("t", None)])
        graph = built(
            [node("If", "c", "z", then_branch=body, else_branch=body), node("Abs", "x", "y")],
            weights={"c": np.array(True)},
        )
        assert [each.op_type for each in graph.nodes] == ["If", "Abs"]
        assert "Add 'add' (net): expected an input 'B' of" in why(graph)


class TestScan:
    """Scan along any axis, either way, and in opset 8."""

    def body(self) -> onnx.GraphProto:
        return helper.make_graph(
            [node("Add", "s e", "t"), node("Identity", "t", "kept")],
            "body",
            [value("s", None), value("e", None)],
            [value("t", None), value("kept", None)],
        )

    @pytest.mark.parametrize(
        ("count", "told"),
        [
            (2, "Scan 'scan' (net): expected from 1 to 1 scanned inputs, got 2. Check 'num_scan_inputs'."),
            (0, "Scan 'scan' (net): expected from 1 to 1 scanned inputs, got 0. Check 'num_scan_inputs'."),
            (2**31 - 1, "Scan 'scan' (net): expected at most 1,024 inputs, got 2,147,483,647."),
        ],
    )
    def test_one_that_scans_more_than_it_has_is_told_before_lists_are_made(self, count: int, told: str) -> None:
        nodes = [node("Scan", "x", "y", "scan", body=self.body(), num_scan_inputs=count)]
        assert told in why(graph_of(model(nodes), "net", {}))

    def test_axes_and_directions(self) -> None:
        scan = helper.make_node(
            "Scan", ["s", "x"], ["last", "y"], body=self.body(), num_scan_inputs=1, scan_input_axes=[1],
            scan_input_directions=[1], scan_output_axes=[1], scan_output_directions=[1],
        )  # fmt: skip
        last, y = results(built([scan], outputs="last y", weights={"s": np.zeros(3, np.float32)}))
        np.testing.assert_array_equal(last, X.sum(axis=1))
        np.testing.assert_array_equal(y, np.cumsum(X[:, ::-1], axis=1)[:, ::-1])

    def test_lengths_of_opset_8_are_refused(self) -> None:
        scan = helper.make_node(
            "Scan", ["n", "s", "x"], ["last", "y"], name="scan", body=self.body(), num_scan_inputs=1
        )
        weights = {"n": np.array([3]), "s": np.zeros((1, 4), np.float32)}
        assert why(built([scan], outputs="last y", weights=weights, opset=8)) == (
            "Scan 'scan' (net): expected sequences of one length, got an input of lengths. Convert the model to "
            "opset 9 or newer."
        )

    def test_a_length_that_is_not_known_is_said(self) -> None:
        scan = helper.make_node("Scan", ["s", "z"], ["last", "y"], name="scan", body=self.body(), num_scan_inputs=1)
        nodes = [node("Mystery", "x", "z", domain="m"), scan]
        assert "expected tensors of a shape known before the run, got 'z' without one. Go on after it" in why(
            built(nodes, outputs="last y", weights={"s": np.zeros(4, np.float32)})
        )


class TestSequences:
    """They collect tensors; nothing of them is left."""

    def test_they_are_collected_taken_apart_and_joined(self) -> None:
        weights = {"first": scalar(0), "last": scalar(-1), "two": np.array(2)}
        graph = built(
            [
                node("SplitToSequence", "x two", "s", axis=1),
                node("SequenceAt", "s last", "right"),
                node("SequenceErase", "s first", "t"),
                node("Neg", "right", "n"),
                node("SequenceInsert", "t n first", "u"),
                node("SequenceInsert", "u n last", "v"),
                node("SequenceLength", "v", "count"),
                node("ConcatFromSequence", "v", "y", axis=0),
            ],
            outputs="y count",
            weights=weights,
        )
        right = X[:, 2:]
        y, count = results(graph)
        np.testing.assert_array_equal(y, np.concatenate([-right, -right, right]))
        assert count == 3

    def test_an_output_that_is_a_sequence_is_its_tensors(self) -> None:
        graph = built([node("SplitToSequence", "x", "y", "cut", keepdims=0)])
        assert graph.outputs == ("cut/0", "cut/1", "cut/2")

    def test_a_map_is_its_body_once_for_each(self) -> None:
        body = helper.make_graph([node("Mul", "e f", "o")], "body", [value("e"), value("f")], [value("o")])
        nodes = [
            node("SequenceConstruct", "x x", "s"),
            node("SequenceMap", "s x", "t", body=body),
            node("ConcatFromSequence", "t", "y", axis=0, new_axis=1),
        ]
        np.testing.assert_array_equal(results(built(nodes))[0], np.stack([X * X, X * X]))

    @pytest.mark.parametrize(
        ("nodes", "message"),
        [
            (
                [node("SequenceEmpty", "", "s"), node("ConcatFromSequence", "s", "y", "join", axis=0)],
                "ConcatFromSequence 'join' (net): expected a sequence of tensors, got an empty one. Use other inputs.",
            ),
            (
                [node("SequenceConstruct", "x", "s"), node("SequenceAt", "s nine", "y", "take")],
                "SequenceAt 'take' (net): expected a place in the sequence, got 9 of 1. Use other inputs.",
            ),
            (
                [node("SplitToSequence", "x sizes", "s", "cut"), node("SequenceAt", "s zero", "y")],
                "SplitToSequence 'cut' (net): expected sizes of parts that make 3, got [1, 1]. Check the model.",
            ),
            (
                [node("Mystery", "x", "s", domain="m"), node("SequenceAt", "s zero", "y", "take")],
                "SequenceAt 'take' (net): expected a sequence of which it is known what it holds, got 's'. Run up to "
                "there.",
            ),
            (
                [node("Optional", "", "o"), node("OptionalGetElement", "o", "y", "get")],
                "OptionalGetElement 'get' (net): expected an optional value that holds something, got nothing. Use "
                "other inputs.",
            ),
        ],
    )
    def test_what_cannot_be_is_said(self, nodes: list[onnx.NodeProto], message: str) -> None:
        weights = {"nine": scalar(9), "zero": scalar(0), "sizes": np.array([1, 1])}
        assert message in [str(error) for error in built(nodes, weights=weights).refusals.values()]


class TestOptionals:
    """Optional values hold something, or nothing; which of the two is known."""

    def test_what_is_held_is_taken_out(self) -> None:
        nodes = [
            node("Optional", "x", "o"),
            node("Identity", "o", "p"),
            node("OptionalHasElement", "p", "has"),
            node("OptionalGetElement", "p", "y"),
        ]
        graph = built(nodes, outputs="y has")
        y, has = results(graph)
        np.testing.assert_array_equal(y, X)
        assert has

    def test_nothing_is_known_to_be_nothing(self) -> None:
        graph = built([node("Optional", "", "o"), node("OptionalHasElement", "o", "y")])
        assert not graph.constants["y"]
