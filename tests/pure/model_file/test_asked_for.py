"""What a model asks for is held to limits before memory or time is taken; raising one opens it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.pure.models import array, external, model, node, tensor, value
from texelscope import pipeline
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.quotas import QuotaError, Quotas, allowing


def opsets() -> list[onnx.OperatorSetIdProto]:
    return [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]


def doubling(depth: int) -> onnx.ModelProto:
    """Functions that each call the one before twice: 2 to the power of `depth` nodes, in a few bytes."""
    functions = [helper.make_function("own", "F0", ["a"], ["b"], [node("Relu", "a", "b")], opsets())]
    for i in range(1, depth + 1):
        nodes = [node(f"F{i - 1}", x, y, domain="own") for x, y in (("a", "t"), ("t", "b"))]
        functions.append(helper.make_function("own", f"F{i}", ["a"], ["b"], nodes, opsets()))
    graph = helper.make_graph([node(f"F{depth}", "x", "y", domain="own")], "net", [value("x")], [value("y")])
    return helper.make_model(graph, functions=functions, opset_imports=opsets(), ir_version=10)


def loop(nodes: bool) -> onnx.ModelProto:
    """A Loop of 2 to the power of 62 turns; without `nodes` its body only hands on what it gets."""
    ends = [helper.make_tensor_value_info(name, TensorProto.BOOL, []) for name in ("c", "d")]
    turn = helper.make_tensor_value_info("i", TensorProto.INT64, [])
    made = [node("Identity", "c", "d"), node("Relu", "v", "w")] if nodes else []
    after = [ends[1], value("w")] if nodes else [ends[0], value("v")]
    body = helper.make_graph(made, "body", [turn, ends[0], value("v")], after)
    given = {"m": np.array(2**62), "t": np.array(True)}
    return model([node("Loop", "m t x", "y", body=body)], weights=given)


def reshaped(*shape: int) -> onnx.ModelProto:
    return model([node("Expand", "x s", "y")], outputs=[value("y", None)], weights={"s": np.array(shape, np.int64)})


def made(*shape: int) -> onnx.ModelProto:
    nodes = [node("ConstantOfShape", "s", "c"), node("ReduceSum", "c", "r"), node("Add", "x r", "y")]
    return model(nodes, outputs=[value("y", None)], weights={"s": np.array(shape, np.int64)})


def sparse(*shape: int) -> onnx.ModelProto:
    found = model([node("Add", "x w", "y")])
    weights = found.graph.sparse_initializer.add(dims=shape)
    weights.values.CopyFrom(numpy_helper.from_array(np.ones(1, np.float32), "w"))
    weights.indices.CopyFrom(numpy_helper.from_array(np.zeros(1, np.int64), "i"))
    return found


LONG = "n" * 50
NODES = [*(node("Relu", "x", f"y{i}") for i in range(8)), node("Relu", "x", "y")]
RELU = NODES[-1:]
CASES: dict[str, tuple[Callable[[], onnx.ModelProto], str, int, str]] = {
    "nodes": (lambda: model(NODES), "nodes", 9, "net: expected at most"),
    "functions": (lambda: doubling(4), "nodes", 47, "net: .* those that functions stand for with them"),
    "tensors": (lambda: model(NODES), "tensors", 9, "net: expected"),
    "weights": (lambda: model(RELU, weights={f"w{i}": array(1) for i in range(9)}), "tensors", 10, "net: expected"),
    "inputs": (lambda: model(RELU, [value("x"), value("z")]), "inputs", 2, "net: expected"),
    "many read": (lambda: model([node("Sum", "x x x x", "y")]), "inputs", 4, r"Sum '' \(net\)"),
    "names": (lambda: model([node("Relu", "x", LONG), node("Relu", LONG, "y")]), "name_letters", 50, "net: expected"),
    "operators": (lambda: model([node(LONG, "x", "y")]), "name_letters", 50, "net: expected"),
    "declared": (lambda: model(RELU, [value("x", [1] * 9)], [value("y", None)]), "dimensions", 9, "net: expected"),
    "inferred": (lambda: reshaped(*[1] * 9, 1, 3, 8, 8), "dimensions", 13, r"Expand 'y' \(net\): "),
    "weight": (
        lambda: model([node("Add", "x w", "y")], outputs=[value("y", None)], tensors=[tensor("w", [1] * 9, bytes(4))]),
        "dimensions", 9, r"tensor 'w' \(net\)",
    ),
    "sparse": (lambda: sparse(*[1] * 9), "dimensions", 9, r"sparse tensor 'w' \(net\)"),
    "sparse size": (lambda: sparse(1, 3, 8, 8), "elements", 192, r"sparse tensor 'w' \(net\)"),
    "elements": (lambda: reshaped(4, 3, 8, 8), "elements", 768, r"Expand 'y' \(net\): .* of 'y' \[4, 3, 8, 8\]"),
    "folded": (lambda: made(50), "folded_elements", 51, r"ReduceSum 'r' \(net\)"),
    "passes": (lambda: model(NODES), "passes", 9, "net: expected"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "quota", "most", "who"), CASES.values(), ids=list(CASES))
def test_what_is_beyond_a_limit_is_told_and_a_higher_one_opens_it(
    make: Callable[[], onnx.ModelProto], quota: str, most: int, who: str
) -> None:
    asked = make()
    with pytest.raises(QuotaError, match=who) as caught:
        pipeline.plan_of(asked, quotas=Quotas(**{quota: most - 1}))
    assert caught.value.quota == quota
    assert f"expected at most {most - 1:,} {quota.replace('_', ' ')}, got" in str(caught.value)
    assert pipeline.plan_of(asked, quotas=Quotas(**{quota: most})).name == "net"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: doubling(40), "expected at most 32,768 nodes, got "),
        (lambda: reshaped(2**30, 3, 8, 8), "expected at most 2,147,483,647 elements, got 206,158,430,208 of 'y'"),
        (lambda: made(2**40), "expected at most 2,147,483,647 elements, got 1,099,511,627,776 of 'c'"),
        (lambda: made(2**27, 2), "expected at most 3.5 GiB of memory, got 6.0 GiB of memory for constants"),
        (lambda: sparse(2**14, 2**16), "expected at most 3.5 GiB of memory, got 4.0 GiB of memory with its zeros"),
        (lambda: model(RELU, [value("x", [1, 3, 2**14, 2**14])], [value("y", None)]),
         "expected at most 3.5 GiB of memory, got 66.0 GiB of memory, the largest tensor is 'x' [1, 3, 16384, 16384]."),
        (lambda: model(RELU, [value("x", [0, 2**31 - 1, 2**31 - 1])], [value("y", None)]), "2,147,483,647 elements"),
        (lambda: model([node("DepthToSpace", "x", "y", blocksize=2**31)], outputs=[value("y", None)]),
         "expected at most 2,147,483,647 elements"),
    ],
)  # fmt: skip
def test_what_no_machine_holds_is_told_before_memory_is_taken(
    make: Callable[[], onnx.ModelProto], message: str
) -> None:
    asked = make()
    tracemalloc.start()
    with pytest.raises(QuotaError) as caught:
        pipeline.plan_of(asked)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert message in str(caught.value)
    assert peak < 32 << 20


def test_a_shape_is_not_found_out_by_what_takes_too_much() -> None:
    weights = {"i": np.zeros((1, 1, 2, 2), np.int64), "s": np.array([1, 1, 2**15, 2**14])}
    unpool = node("MaxUnpool", "x i s", "y", kernel_shape=[2, 2])
    made = model([unpool], [value("x", [1, 1, 2, 2])], [value("y", None)], weights=weights)
    message = r"MaxUnpool 'y': expected at most 3\.5 GiB of memory, got 8\.0 GiB of memory to tell its shape"
    with pytest.raises(QuotaError, match=message):
        pipeline.plan_of(made)


def test_what_a_condition_hangs_on_is_not_evaluated_where_it_takes_too_much() -> None:
    """The sum of an outer product of two vectors: a gibibyte for a truth value."""
    branch = helper.make_graph([node("Relu", "x", "z")], "branch", [], [value("z", [2**14, 1])])
    nodes = [
        node("Mul", "x t", "outer"),
        node("ReduceSum", "outer", "sum", keepdims=0),
        node("Cast", "sum", "yes", to=TensorProto.BOOL),
        node("If", "yes", "y", "choice", then_branch=branch, else_branch=branch),
    ]
    inputs = [value("x", [2**14, 1]), value("t", [1, 2**14])]
    values = {"x": np.ones((2**14, 1), np.float32), "t": np.ones((1, 2**14), np.float32)}
    made = model(nodes, inputs, [value("y", None)])
    with allowing(Quotas(memory_bytes=1 << 30)):
        refusal = graph_of(made, "net", {}, values).refusals["choice"]
    assert "Mul 'outer': expected at most 1.0 GiB of memory, got 3.0 GiB of memory to decide" in str(refusal)


@pytest.mark.parametrize("nodes", [True, False], ids=["nodes", "no nodes"])
def test_turns_without_end_are_ended(nodes: bool) -> None:
    with allowing(Quotas(loop_nodes=30)):
        plan = pipeline.plan_of(loop(nodes))
    (loop_,) = plan.not_run
    assert (
        "expected at most 30 loop nodes, got more of all turns. If you trust it: --limit loop_nodes=60." in loop_.reason
    )


class TestExternalData:
    """Data beside a model: files, and the same bytes named by many tensors."""

    def saved(self, folder: Path, tensors: list[onnx.TensorProto]) -> Path:
        path = folder / "m.onnx"
        path.write_bytes(model([node("Mul", "x w0", "y")], tensors=tensors).SerializeToString())
        return path

    def test_files_are_counted_before_any_is_read(self, tmp_path: Path) -> None:
        path = self.saved(tmp_path, [external(f"w{i}", [1], location=f"{i}.bin") for i in range(3)])
        with allowing(Quotas(external_files=2)), pytest.raises(QuotaError, match="at most 2 external files, got 3"):
            load(path)
        for i in range(3):
            (tmp_path / f"{i}.bin").write_bytes(bytes(4))
        with allowing(Quotas(external_files=3)):
            assert load(path).nodes

    def test_bytes_that_many_tensors_name_count_for_each(self, tmp_path: Path) -> None:
        with (tmp_path / "w.bin").open("wb") as file:
            file.truncate(1 << 24)  # sparse: takes no disk
        path = self.saved(tmp_path, [external(f"w{i}", [1 << 22], location="w.bin") for i in range(200)])
        tracemalloc.start()
        message = r"m\.onnx: expected at most 3\.5 GiB of memory, got 3\.5 GiB of memory for its constants"
        with pytest.raises(QuotaError, match=message):
            load(path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 8 << 20

    def test_a_model_that_memory_does_not_hold_is_not_read(self, tmp_path: Path) -> None:
        path = self.saved(tmp_path, [])
        with allowing(Quotas(memory_bytes=100)), pytest.raises(QuotaError, match=r"m\.onnx: expected at most 0\.0 MiB"):
            load(path)
