"""Graphs to plans: what fits where, what is parted, what cannot run and is said so."""

from __future__ import annotations

import dataclasses
import re
import tracemalloc
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto

from tests.pure.models import array, model, node, relu, value
from texelscope import layouts, pipeline
from texelscope.layouts import LayoutError, as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.operators.base import Call, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.planning import planner
from texelscope.pipeline.planning.planner import plan_graph
from texelscope.pipeline.quotas import Quotas, allowing

SMALL = Limits(max_texture_texels=16)


def convolution(channels: int = 16) -> onnx.ModelProto:
    return model(
        [node("Conv", "x w b", "y", "conv", pads=[1, 1, 1, 1])],
        outputs=[value("y", None)],
        weights={"w": array(channels, 3, 3, 3), "b": array(channels)},
    )


def reasons(plan: Plan) -> dict[str, str]:
    return {missing.name: missing.reason for missing in plan.not_run}


def only_reason(made: onnx.ModelProto) -> str:
    """Why the first of what a small texture cannot hold is not run."""
    return pipeline.plan_of(made, limits=SMALL).not_run[0].reason


class TestLayouts:
    """Where tensors are stored."""

    def test_convolution_weights_have_a_layout_of_their_own(self) -> None:
        textures = pipeline.plan_of(convolution(), layout="channel_tiles").textures
        assert {key: stored.layout.name for key, stored in textures.items()} == {
            "x": "channel_tiles",
            "w": "filter_tiles",
            "b": "channel_tiles",
            "y": "channel_tiles",
        }

    def test_another_layout_of_activations_holds_for_weights_too(self) -> None:
        textures = pipeline.plan_of(convolution(), layout="channel_tiles_rgba").textures
        assert {stored.layout.name for stored in textures.values()} == {"channel_tiles_rgba"}

    def test_a_weight_that_two_passes_read_differently_is_stored_twice(self) -> None:
        nodes = [node("Conv", "x w", "a", pads=[1, 1, 1, 1]), node("Mul", "a w", "y")]
        made = model(nodes, [value("x", [3, 3, 3, 3])], [value("y", None)], weights={"w": array(3, 3, 3, 3)})
        plan = pipeline.plan_of(made, layout="channel_tiles")
        stored = {key: s.layout.name for key, s in plan.textures.items() if s.tensor == "w"}
        assert stored == {"w": "filter_tiles", "w@channel_tiles": "channel_tiles"}

    def test_an_unknown_layout_is_refused_with_the_nearest(self) -> None:
        with pytest.raises(LayoutError, match="Did you mean 'channel_tiles'"):
            pipeline.plan_of(relu(), layout="chanel_tiles")


class TestTooLarge:
    """Textures have a largest side."""

    def test_weights_take_the_next_layout_that_fits(self) -> None:
        made = convolution(25)  # 5 x 5 filters of 6 x 6 texels
        made.graph.input[0].CopyFrom(value("x", (1, 3, 2, 2)))
        plan = pipeline.plan_of(made, layout="channel_tiles", limits=SMALL)
        assert plan.textures["w"].layout.name == "row_major_rgba"
        assert max(plan.textures["w"].texture_shape) <= 16

    def test_tables_of_an_operator_take_the_next_layout_that_fits_too(self) -> None:
        weights = {"roi": np.zeros(0, np.float32), "scales": np.array([1, 1, 2, 2], np.float32)}
        grown = [node("Resize", "x roi scales", "y", "grow", mode="cubic")]
        made = model(grown, [value("x", [1, 1, 2, 8])], [value("y", None)], weights=weights)
        table = pipeline.plan_of(made, layout="channel_tiles", limits=SMALL).textures["grow/table"]
        assert (table.shape, table.layout.name) == ((8, 20), "row_major_rgba")

    def test_what_reads_a_weight_that_fits_nowhere_is_not_run(self) -> None:
        made = model(
            [node("Gather", "w x", "y", axis=1)],
            [value("x", [1], TensorProto.INT64)],
            [value("y", None)],
            weights={"w": array(2, 4096)},
        )
        assert re.search(r"constant 'w' \[2, 4096\] .*at most 16x16 texels, got 46x45 .*No layout", only_reason(made))

    def test_an_activation_that_does_not_fit_takes_a_layout_that_does_and_the_plan_says_so(self) -> None:
        wide = model([node("Relu", "x", "h"), node("Abs", "h", "y")], [value("x", [1, 4, 4, 20])], [value("y", None)])
        plan = pipeline.plan_of(wide, layout="channel_tiles", limits=SMALL)
        assert {stored.layout.name for stored in plan.textures.values()} == {"row_major_rgba"}
        assert plan.warnings == (
            "net: expected tensors that fit a texture of 16 texels a side in channel_tiles, got 'x' [1, 4, 4, 20], "
            "'h' [1, 4, 4, 20], 'y' [1, 4, 4, 20]. Stored in row_major_rgba instead.",
        )
        assert pipeline.plan_of(wide, layout="row_major_rgba", limits=SMALL).warnings == ()

    def test_the_others_keep_to_the_layout_that_was_asked_for(self) -> None:
        made = model([node("Tile", "x r", "a"), node("ReduceMax", "a", "y")], outputs=[value("y", None)],
                     weights={"r": np.array([1, 1, 3, 3], np.int64)})  # fmt: skip
        plan = pipeline.plan_of(made, layout="channel_tiles", limits=Limits(max_texture_texels=32))
        stored = {key: each.layout.name for key, each in plan.textures.items()}
        assert stored == {"x": "channel_tiles", "a": "row_major_rgba", "y": "channel_tiles"}

    def test_only_so_many_of_them_are_named(self) -> None:
        nodes = [node("Relu", f"h{i}", f"h{i + 1}") for i in range(6)]
        wide = model(nodes, [value("h0", [1, 4, 4, 20])], [value("h6", None)])
        (line,) = pipeline.plan_of(wide, layout="channel_tiles", limits=SMALL).warnings
        assert "'h3' [1, 4, 4, 20] and 3 more. Stored" in line

    def test_one_that_fits_nowhere_stops_what_needs_it_and_nothing_else(self) -> None:
        made = model(
            [node("Tile", "x r", "a", "tile"), node("Slice", "a b s", "y", "cut"), node("Relu", "x", "z", "relu")],
            outputs=[value("y", None), value("z", None)],
            weights={"r": np.array([1, 1, 300, 300]), "b": np.array([0, 1, 9, 9]), "s": np.array([1, 3, 12, 12])},
        )
        plan = pipeline.plan_of(made, limits=Limits(max_texture_texels=32))
        tile, cut = plan.not_run
        assert [each.name for each in plan.passes] == ["relu"]
        assert tile.reason.endswith("No layout fits; use a smaller --shape.")
        assert tile.reason.startswith("tensor 'a' [1, 3, 2400, 2400] (net): expected a texture of at most 32x32 texels")
        said = "Slice 'cut' (net): expected inputs that a texture holds, got 'a' without one. See why that has none."
        assert cut.reason == said

    def test_an_input_that_fits_nowhere_is_refused(self) -> None:
        huge = model([node("Relu", "x", "y")], [value("x", [2**15, 2**15])], [value("y", None)])
        with (
            allowing(Quotas(memory_bytes=2**50)),
            pytest.raises(TexelscopeError, match=r"No layout fits; use a smaller --shape\."),
        ):
            pipeline.plan_of(huge, limits=SMALL)

    @pytest.mark.parametrize("element", [np.float32(0.5), np.int8(3)], ids=["float32", "int8"])
    def test_103_million_weights_are_planned_without_memory_of_their_size(self, element: np.generic) -> None:
        weights = np.broadcast_to(element, (25088, 4096, 1, 1))  # takes no memory itself
        graph = convolution_graph(weights)
        tracemalloc.start()
        plan = plan_graph(graph, layout="channel_tiles", limits=Limits(max_texture_texels=8192))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert plan.textures["w"].layout.name == "row_major_rgba"
        assert peak < 4 << 20


def convolution_graph(weights: NDArray[Any]) -> Graph:
    """A convolution of 1x1 kernels, which is a matrix product."""
    outputs, channels = weights.shape[:2]
    shapes = {"x": (1, channels, 1, 1), "w": weights.shape, "y": (1, outputs, 1, 1)}
    infos = {name: TensorInfo(name, shape) for name, shape in shapes.items()}
    infos["w"] = TensorInfo("w", weights.shape, weights.dtype.name)
    attributes = MappingProxyType({"group": 1, "auto_pad": "NOTSET"})
    conv = Node("conv", "Conv", ("x", "w"), ("y",), attributes, opset=11)
    return Graph("net", (conv,), MappingProxyType(infos), ("x",), ("y",), MappingProxyType({"w": weights}))


class TestSamplers:
    """A fragment shader has so many."""

    @pytest.mark.parametrize(("inputs", "passes"), [(4, 1), (5, 3), (16, 5), (17, 8)])
    def test_a_concat_of_more_inputs_is_parted(self, inputs: int, passes: int) -> None:
        made = model([node("Concat", "x " * inputs, "y", "cat", axis=1)], outputs=[value("y", None)])
        plan = pipeline.plan_of(made, limits=Limits(max_samplers=4))
        assert len(plan.passes) == passes
        assert max(len(each.samplers) for each in plan.passes) <= 4
        assert plan.passes[-1].name == "cat"

    def test_what_cannot_be_parted_is_not_run(self) -> None:
        made = model([node("Where", "c a b", "y", "where")], [value("c", [2], onnx.TensorProto.BOOL),
                     value("a", [2]), value("b", [2])], [value("y", None)])  # fmt: skip
        plan = pipeline.plan_of(made, limits=Limits(max_samplers=2))
        assert reasons(plan) == {
            "where": "Where 'where' (net): expected at most 2 inputs, got 3. Split the node. "
            "Go on after it with the oracle's value (--inject, or Ctrl+I)."
        }


class TestNotRun:
    """What has no pass is named, with the node; what follows is said to follow."""

    @pytest.mark.parametrize("op_type", ["Sum", "Concat", "Max"])
    def test_an_input_that_an_operator_needs_and_that_is_omitted(self, op_type: str) -> None:
        made = node(op_type, "x x", "y", "many", axis=1) if op_type == "Concat" else node(op_type, "x x", "y", "many")
        made.input[1] = ""
        message = f"{op_type} 'many' (net): expected input 1, got an omitted one. Check the exporting script."
        assert reasons(pipeline.plan_of(model([made]))) == {"many": message}

    def test_a_shader_that_would_read_an_omitted_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kind = type(all_operators()["Relu"])
        kernel = kind.kernel

        def reads_nothing(self: Operator, call: Call, output: int = 0) -> Kernel:
            return dataclasses.replace(kernel(self, call, output), reads={"X": ""})

        monkeypatch.setattr(kind, "kernel", reads_nothing)
        message = (
            "Relu 'act' (net): expected every input that it needs, got an omitted one. Check the exporting script."
        )
        assert reasons(pipeline.plan_of(model([node("Relu", "x", "y", "act")]))) == {"act": message}

    def test_an_operator_that_is_not_known(self) -> None:
        nodes = [node("Relu", "x", "a"), node("Foo", "a", "b", "odd", domain="own"), node("Relu", "b", "y", "after")]
        plan = pipeline.plan_of(model(nodes))
        assert [each.name for each in plan.passes] == ["a"]
        assert reasons(plan)["odd"].startswith(
            "Foo 'odd' (net): expected an operator that runs as a pass, got 'own.Foo'."
        )
        assert reasons(plan)["after"].startswith(
            "Relu 'after' (net): expected tensors of a shape known before the run, got 'b' without one."
        )

    def test_a_branch(self) -> None:
        body = onnx.helper.make_graph([node("Relu", "x", "t")], "body", [], [value("t")])
        nodes = [node("ReduceMax", "x", "m", keepdims=0), node("Cast", "m", "c", to=9),
                 node("If", "c", "y", "branch", then_branch=body, else_branch=body)]  # fmt: skip
        assert reasons(pipeline.plan_of(model(nodes)))["branch"] == (
            "If 'branch' (net): expected a condition known once the inputs are, got 'c', which depends on the inputs. "
            "Set the inputs: it is planned for their values."
        )

    def test_what_follows_an_unknown_operator_of_declared_shape_is_planned(self) -> None:
        made = model([node("Foo", "x", "b", "odd", domain="own"), node("Relu", "b", "y", "after")])
        made.graph.value_info.append(value("b", (1, 3, 4, 4)))
        plan = pipeline.plan_of(made)
        assert [each.name for each in plan.passes] == ["after"]
        assert plan.textures["b"].shape == (1, 3, 4, 4)

    def test_integers_that_a_float_cannot_hold(self) -> None:
        made = model([node("Add", "x w", "y", "add")], [value("x", [1], onnx.TensorProto.INT64)], [value("y", None)],
                     weights={"w": np.array([-(1 << 24) - 1])})  # fmt: skip
        assert reasons(pipeline.plan_of(made)) == {
            "add": "constant 'w' (net): expected integers up to 16777216, exact in a float texture, got 16777217. "
            "Use numbers that a float holds. Go on after it with the oracle's value (--inject, or Ctrl+I)."
        }

    def test_integers_up_to_two_to_the_24_are_held(self) -> None:
        made = model([node("Add", "x w", "y", "add")], [value("x", [1], onnx.TensorProto.INT64)], [value("y", None)],
                     weights={"w": np.array([-(1 << 24)])})  # fmt: skip
        assert not pipeline.plan_of(made).not_run

    def test_attributes_that_make_no_sense(self) -> None:
        made = convolution()
        made.graph.node[0].attribute.append(onnx.helper.make_attribute("group", 0))
        (reason,) = reasons(pipeline.plan_of(made)).values()
        assert (
            "Conv 'conv' (net): expected an input of 0 channels, as its weight in 0 groups, got 3. Check 'group'"
            in reason
        )

    def test_a_shape_that_no_layout_takes_is_a_reason(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def kernel(self: object, call: Call, output: int) -> Kernel:
            raise AssertionError(as_nchw((3, 0)))

        monkeypatch.setattr(type(all_operators()["Relu"]), "kernel", kernel)
        (reason,) = reasons(pipeline.plan_of(relu())).values()
        assert "that make sense together, got LayoutError: shape (3, 0): expected every dimension at least 1" in reason

    def test_an_input_that_is_left_out_although_it_is_needed(self) -> None:
        graph = convolution_graph(np.ones((2, 3, 1, 1), np.float32))
        node_without = dataclasses.replace(graph.nodes[0], inputs=("x", ""))
        (missing,) = plan_graph(dataclasses.replace(graph, nodes=(node_without,))).not_run
        assert missing.reason.startswith("Conv 'conv' (net): expected ")

    def test_numbers_that_are_not_real(self) -> None:
        infos = {name: TensorInfo(name, (2,), "complex64") for name in ("x", "y")}
        graph = Graph("net", (Node("r", "Relu", ("x",), ("y",)),), MappingProxyType(infos), ("x",), ("y",), {})
        (missing,) = plan_graph(graph).not_run
        said = "Relu 'r' (net): expected real numbers, got 'x' of complex64. Textures hold floats."
        assert missing.reason.startswith(said)


def test_passes_have_names_of_their_own() -> None:
    nodes = [
        node("Split", "x", "a b", "s", axis=3, num_outputs=2),
        node("Relu", "a", "c", "s:b"),
        node("Add", "b c", "y"),
    ]
    plan = pipeline.plan_of(model(nodes, outputs=[value("y", None)], opset=18))
    names = [each.name for each in plan.passes]
    assert len(set(names)) == len(names) == 4


def test_rewrites_that_never_end_are_a_bug_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    operator = all_operators()["Relu"]
    monkeypatch.setattr(type(operator), "rewrite", lambda self, call, limits: Rewrite((call.node,)))
    with pytest.raises(AssertionError, match="rewrites of Relu 'act' do not end"):
        pipeline.plan_of(relu())


def test_a_rewrite_that_meets_nonsense_leaves_the_reason_to_the_planner(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, call: Call, limits: Limits) -> Rewrite:
        raise UnsupportedError(call.who, "sense", "none", "Mend it.")

    monkeypatch.setattr(type(all_operators()["Relu"]), "rewrite", fail)
    assert [each.name for each in pipeline.plan_of(relu()).passes] == ["act"]


@pytest.mark.parametrize("name", ["bad\nname", "\\", 'void main() { "'])
def test_names_cannot_change_the_generated_program(name: str) -> None:
    plain = pipeline.plan_of(model([node("Relu", "x", "y", "act")])).passes[0].program.fragment
    odd = pipeline.plan_of(model([node("Relu", "x", "y", name)])).passes[0].program.fragment
    assert odd.splitlines()[2:] == plain.splitlines()[2:]
    assert not odd.splitlines()[1].endswith("\\")


def test_malformed_models_are_the_only_errors_that_become_reasons() -> None:
    assert not issubclass(KeyboardInterrupt, planner.MALFORMED)
    assert not any(issubclass(TexelscopeError, kind) for kind in planner.MALFORMED)


def test_a_pass_of_more_work_than_a_draw_in_software_may_take_is_not_run() -> None:
    graph = model([node("MatMul", "x x", "y", "product")], [value("x", [64, 64])], [value("y", [64, 64])])
    software, asked = Limits(is_software=True), 64 * 64 * 16  # four products a turn
    plan = pipeline.plan_of(graph, limits=software, quotas=Quotas(pass_turns=asked - 1))
    message = (
        "expected at most 65,535 pass turns, got 65,536 of all loops of all its elements. If you trust it: --limit"
    )
    assert message in plan.not_run[0].reason
    assert pipeline.plan_of(graph, limits=software, quotas=Quotas(pass_turns=asked)).passes
    assert pipeline.plan_of(graph, quotas=Quotas(pass_turns=1)).passes


def test_inputs_may_lie_in_layouts_that_somebody_else_has_chosen() -> None:
    graph = pipeline.plan_of(relu()).graph
    assert graph is not None
    tiles = layouts.layout("channel_tiles")
    plan = plan_graph(graph, layout="row_major_rgba", inputs_in={graph.inputs[0]: tiles})
    assert plan.textures[graph.inputs[0]].layout == tiles
    assert plan.textures[plan.outputs[0]].layout.name == "row_major_rgba"
