"""What a report says of the whole: the pass where the error jumps, why, and what is not known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import EndToEnd, Report
from texelscope.pipeline.device import Device
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import Plan, Storage, Tolerance
from texelscope.pipeline.planning.storage import components, values_of

Array = NDArray[Any]
Change = Callable[[Array], Array]
SHAPE = (2, 8)


def compared(
    made: onnx.ModelProto, x: Array, changes: Mapping[str, Change] | None = None, storage: Storage = "float32"
) -> Report:
    plan = pipeline.plan_of(made, precision=storage)
    return Comparer(plan).compare(captured(plan, x, changes))


def captured(plan: Plan, x: Array, changes: Mapping[str, Change] | None = None) -> Capture:
    """Each pass as the oracle has it for what it reads, float32, those in `changes` changed before others read them."""
    assert plan.graph is not None
    oracle = GraphOracle(plan.graph)
    tensors: dict[str, Array] = {"x": x.astype(np.float32)}
    for each in plan.passes:
        expected = oracle.isolated(tensors, each.output)
        assert expected is not None
        result = np.asarray(expected.value, dtype=np.float32)
        result = (changes or {}).get(each.output, np.asarray)(result.copy())
        stored = plan.textures[each.output].storage
        tensors[each.output] = values_of(components(result, stored), stored)
    return Capture("net", Device("a renderer", "a version"), tensors, {}, {})


def whole(report: Report) -> EndToEnd:
    assert report.end_to_end is not None
    return report.end_to_end


def nudged(*place: int, last_places: int = 1) -> Change:
    """One element moved by so many units in the last place."""

    def change(a: Array) -> Array:
        a[place] += np.float32(last_places) * np.spacing(a[place])
        return a

    return change


def network(
    nodes: Sequence[onnx.NodeProto], shape: Sequence[int] = SHAPE, **weights: Array | np.float32
) -> onnx.ModelProto:
    return model(
        nodes,
        [value("x", SHAPE)],
        [value("y", shape)],
        weights={name: np.asarray(w) for name, w in weights.items()},
        opset=21,
    )


def quantised(x: Array) -> onnx.ModelProto:
    """x → Tanh → codes → numbers → product y, with a scale for which element (0, 3) lies just below a tie."""
    t = np.tanh(x.astype(np.float32))
    scale = np.float32((t[0, 3] + 8 * np.spacing(t[0, 3])) / 20.5)
    return network(
        [
            node("Tanh", "x", "t", "t"),
            node("QuantizeLinear", "t scale zero", "q", "q"),
            node("DequantizeLinear", "q scale zero", "d", "d"),
            node("MatMul", "d w", "y", "y"),
        ],
        (2, 4),
        scale=scale,
        zero=np.array(3, np.int8),
        w=array(8, 4),
    )


def test_one_code_that_tips_is_found_where_every_pass_matches() -> None:
    x = array(*SHAPE)
    x[0, 3] = 0.7
    report = compared(quantised(x), x, {"t": nudged(0, 3, last_places=16)})
    assert report.verdict == "match"
    found = whole(report)
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause, found.jump.elements) == ("q", "rounding_decision", 1)
    assert found.jump.before < 1e-5 < 1e-3 < found.jump.after
    assert found.jump.explained == pytest.approx(1.0, abs=1e-3)
    assert "1 of 16 elements of 'q' round to the other number; |x/scale − k − 0.5| ≤ " in found.jump.evidence
    assert found.message.startswith("End to end 'y' is off by ")
    assert "The error jumps at 'q' from " in found.message
    assert found.message.endswith("The pass accounts for 100% of it.")
    (output,) = found.outputs
    assert output.of_largest is not None
    assert output.of_largest > 1e-3


def test_without_a_tip_the_whole_is_within_rounding_and_nothing_jumps() -> None:
    x = array(*SHAPE)
    found = whole(compared(quantised(x), x))
    assert found.jump is None
    assert found.message == "End to end 'y' is equal."


@pytest.mark.parametrize("op_type", ["Round", "Floor", "Ceil"])
def test_other_roundings_tip_too(op_type: str) -> None:
    x = array(*SHAPE)
    border = 2.5 if op_type == "Round" else 2.0
    x[1, 1] = border - 1.0
    made = network(
        [node("Add", "x one", "a", "a"), node(op_type, "a", "r", "r"), node("Mul", "r two", "y", "y")],
        one=np.float32(1.0),
        two=np.float32(2.0),
    )
    found = whole(compared(made, x, {"a": nudged(1, 1, last_places=-1 if op_type != "Ceil" else 1)}))
    if op_type == "Round":  # an even neighbour: 2.5 goes to 2 as what is below it does
        assert found.jump is None
        return
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("r", "rounding_decision")
    assert "|x − k| ≤ 2.4e-07" in found.jump.evidence


def test_a_comparison_that_tips() -> None:
    x = array(*SHAPE)
    x[0, 0] = 0.5
    made = network(
        [
            node("Mul", "x two", "m", "m"),
            node("Greater", "m one", "g", "g"),
            node("Where", "g m zero", "y", "y"),
        ],
        two=np.float32(2.0),
        one=np.float32(1.0),
        zero=np.float32(0.0),
    )
    found = whole(compared(made, x, {"m": nudged(0, 0)}))
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("g", "comparison")
    assert (
        "1 of 16 elements of 'g' fall the other way; what is compared differs by 1.2e-07 at most" in found.jump.evidence
    )


def test_a_choice_that_tips() -> None:
    x = array(*SHAPE)
    x[1, 2] = x[1, 6] = 4.0
    made = network(
        [
            node("Mul", "x two", "m", "m"),
            node("ArgMax", "m", "i", "i", axis=1, keepdims=0),
            node("Gather", "table i", "y", "y"),
        ],
        (2,),
        two=np.float32(2.0),
        table=array(8),
    )
    found = whole(compared(made, x, {"m": nudged(1, 6)}))
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("i", "choice")
    assert "1 of 2 elements of 'i' point elsewhere; the two values differ by 9.5e-07 at most" in found.jump.evidence


def test_terms_that_cancel() -> None:
    x = array(*SHAPE) * np.float32(1e-3)
    made = network(
        [node("Add", "x k", "a", "a"), node("Sub", "a k", "s", "s"), node("Mul", "s two", "y", "y")],
        k=np.float32(100.0),
        two=np.float32(2.0),
    )
    found = whole(compared(made, x, {"a": nudged(0, 0)}))
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("s", "cancellation")
    assert "A cancellation: values of up to 1e+02 become " in found.jump.evidence
    assert "the error stays 7.6e-06" in found.jump.evidence


def test_a_steep_operator() -> None:
    x = np.abs(array(*SHAPE)) / 100 + np.float32(1.0)
    made = network(
        [node("Mul", "x one", "m", "m"), node("Pow", "m e", "y", "y")], one=np.float32(1.0), e=np.float32(2000.0)
    )
    x[0, 0] = x.max()
    found = whole(compared(made, x, {"m": nudged(0, 0)}))
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("y", "amplified")
    assert (
        "Pow is steep there: what it reads differs by 1.2e-07, and the oracle's own result for that by" in found.message
    )


def test_what_half_precision_cannot_hold() -> None:
    x = np.abs(array(*SHAPE))
    made = network(
        [node("Mul", "x k", "m", "m"), node("Mul", "m k2", "y", "y")], k=np.float32(6e4), k2=np.float32(1e-3)
    )
    found = whole(compared(made, x, storage="float16"))
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("m", "overflow")
    assert "elements beyond 6.55e+04, the largest number of float16" in found.jump.evidence
    assert found.message.startswith("End to end 'y' has infinities or NaN where the oracle has none, or the other way")
    assert "The error jumps at 'm' from " in found.message
    assert found.jump.explained == 1.0


def test_a_wrong_pass_is_where_it_jumps() -> None:
    x = array(*SHAPE)
    made = network(
        [node("Relu", "x", "r", "r"), node("Mul", "r two", "m", "m"), node("Neg", "m", "y", "y")], two=np.float32(2.0)
    )
    found = whole(compared(made, x, {"m": lambda a: a + np.float32(0.1)}))
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("m", "wrong_pass")
    assert "The pass is wrong for the values that it read (mismatch)." in found.message


def test_a_code_that_is_wrong_is_no_decision_that_tipped() -> None:
    """A person may have allowed the pass to be off by one; its quotient lies nowhere near a tie all the same."""
    x = array(*SHAPE)
    plan = pipeline.plan_of(quantised(x))

    def next_one(codes: Array) -> Array:
        codes[1, 1] += 1
        return codes

    report = Comparer(plan, {"q": Tolerance(atol=1.0)}).compare(captured(plan, x, {"q": next_one}))
    assert report.verdict == "match"
    found = whole(report)
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("q", "unexplained")


def test_a_side_path_on_which_nothing_hangs_is_not_where_it_jumps() -> None:
    """The difference of two like numbers loses nearly all its digits, and counts for nothing in the sum."""
    x = array(*SHAPE)
    x[1, 1] = 1.0
    nodes = [
        node("Add", "x k", "a", "a"),
        node("Sub", "a k", "s", "lost"),
        node("Sub", "s x", "r", "rest"),
        node("Mul", "r little", "l", "l"),
        node("Mul", "x two", "m", "m"),
        node("Floor", "m", "f", "f"),
        node("Add", "f l", "y", "y"),
    ]
    made = network(nodes, k=np.float32(1000.0), little=np.float32(1e-6), two=np.float32(2000.0))
    changes = {"a": nudged(0, 0), "m": nudged(1, 1, last_places=-1)}
    found = whole(compared(made, x, changes))
    assert found.jump is not None
    assert (found.jump.name, found.jump.cause) == ("f", "rounding_decision")
    assert found.jump.explained == pytest.approx(1.0, abs=1e-3)


def test_of_two_decisions_that_tip_neither_is_said_to_account_for_what_it_does_not() -> None:
    x = np.full(SHAPE, 1.0, np.float32)
    nodes = [node("Mul", "x one", "m", "m")]
    for i in range(4):
        nodes += [node("Add", f"m k{i}", f"a{i}", f"a{i}"), node("Floor", f"a{i}", f"f{i}", f"f{i}")]
    nodes.append(node("Concat", "f0 f1 f2 f3", "y", "y", axis=0))
    nudges = {f"a{i}": nudged(0, 0, last_places=-1) for i in range(4)}
    weights = {f"k{i}": np.float32(1.0) for i in range(4)}
    found = whole(compared(network(nodes, (8, 8), one=np.float32(1.0), **weights), x, nudges))
    assert found.jump is not None
    assert (found.jump.cause, found.jump.explained) == ("unexplained", 0.0)
    assert found.jump.evidence.startswith("No single pass accounts for it, this one for 0%. A rounding decision that")


def test_a_pass_without_chained_figures_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    x = array(*SHAPE)
    made = network([node("Relu", "x", "r", "r"), node("Neg", "r", "n", "n"), node("Neg", "n", "y", "y")])

    run_node = Reference.run_node

    def failing(self: Reference, each: Node, inputs: Sequence[Array | None]) -> tuple[Array | None, ...]:
        if each.op_type == "Relu":
            raise TexelscopeError("Relu 'r'", "an oracle", "none", "Wait.")
        return run_node(self, each, inputs)

    plan = pipeline.plan_of(made)
    capture = captured(plan, x)
    monkeypatch.setattr(Reference, "run_node", failing)
    report = Comparer(plan).compare(capture)
    assert [each.verdict for each in report.passes] == ["not_compared", "match", "match"]
    assert [each.chained for each in report.passes] == [None] * 3
    assert [each.not_chained for each in report.passes] == [
        "Relu 'r': expected an oracle, got none. Wait.",
        "Comes after 'r', which the oracle could not evaluate.",
        "Comes after 'r', which the oracle could not evaluate.",
    ]
    assert whole(report).message == (
        "Nothing is known of the outputs end to end: Comes after 'r', which the oracle could not evaluate."
    )


def test_the_bound_of_a_quantiser_whose_zero_point_carries_an_error_is_estimated() -> None:
    nodes = [
        node("DynamicQuantizeLinear", "x", "q s z", "quantise"),
        node("DequantizeLinear", "q s z", "y", "dequantise"),
    ]
    graph = pipeline.plan_of(network(nodes)).graph
    assert graph is not None
    found = GraphOracle(graph).chained({"x": array(*SHAPE)})
    assert set(graph.tensors) <= {*found, *graph.constants}
    assert found["y"].bound is not None
    assert (found["y"].bound > 0).all()


def test_passes_that_did_not_run_say_so_of_their_chained_figures_too() -> None:
    made = network([node("Relu", "x", "r", "r"), node("Foo", "r", "n", "n", domain="own"), node("Neg", "n", "y", "y")])
    plan = pipeline.plan_of(made)
    x = array(*SHAPE)
    capture = Capture("net", Device("a renderer", "a version"), {"x": x, "r": np.maximum(x, 0)}, {}, {})
    report = Comparer(plan).compare(capture)
    assert {each.name: each.not_chained for each in report.passes} == {
        "r": "",
        "n": "It did not run.",
        "y": "It did not run.",
    }
    assert whole(report).message == "Nothing is known of the outputs end to end: 'y' was not computed."


def test_a_fault_in_working_out_the_whole_leaves_the_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError("of this program")

    monkeypatch.setattr("texelscope.pipeline.compare.comparer.end_to_end", failing)
    report = compared(network([node("Relu", "x", "y", "r")]), array(*SHAPE))
    assert report.verdict == "match"
    assert whole(report).message.endswith("end to end: ZeroDivisionError: of this program")


def test_rounding_to_the_models_own_half_precision_is_no_jump() -> None:
    half = onnx.TensorProto.FLOAT16
    made = network(
        [
            node("Cast", "x", "h", "narrow", to=half),
            node("Mul", "h three", "m", "m"),
            node("Cast", "m", "y", "wide", to=onnx.TensorProto.FLOAT),
        ],
        three=np.array(3.0, np.float16),
    )
    found = whole(compared(made, array(*SHAPE), {"m": lambda a: a * np.float32(1 + 2**-10)}))
    assert found.jump is None
    assert found.message.startswith("End to end 'y' is within 1.1e-03 of")
