"""Tests the step from a model to a graph: shapes by name, constants folded, unknown operators kept by name."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.pure.models import IMAGE, array, model, node, relu, value
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.quotas import QuotaError, Quotas, allowing

DYNAMIC = ("N", 3, "H", "W")


def dynamic() -> onnx.ModelProto:
    return model([node("Relu", "x", "y")], [value("x", DYNAMIC)], [value("y", DYNAMIC)])


def behind_a_mystery() -> onnx.ModelProto:
    """x → an operator that ONNX does not know → a → Relu → y, of which no shape is said."""
    made = model([node("Mystery", "x", "a", domain="some.where"), node("Relu", "a", "y")], outputs=[value("y", None)])
    made.opset_import.append(helper.make_opsetid("some.where", 1))
    return made


class TestFreeDimensions:
    """Shapes that the model leaves open are asked for by name."""

    def test_a_shape_by_name_settles_them(self) -> None:
        assert load(dynamic(), {"x": (2, 3, 5, 7)}).tensors["y"].shape == (2, 3, 5, 7)

    def test_without_one_the_error_names_them_and_shows_what_to_type(self) -> None:
        message = r"input 'x' \(net\): expected a shape without free dimensions, got \[N,3,H,W\]\. Give one, such as "
        with pytest.raises(TexelscopeError, match=message + "--shape x=1,3,224,224"):
            load(dynamic())

    def test_an_input_without_any_shape_is_asked_for_too(self) -> None:
        shapeless = model([node("Relu", "x", "y")], [value("x", None)], [value("y", None)])
        with pytest.raises(TexelscopeError, match=r"free dimensions, got none\. .* --shape x=1,3,224,224"):
            load(shapeless)
        assert load(shapeless, {"x": (3, 4)}).tensors["y"].shape == (3, 4)

    def test_a_free_dimension_without_a_name_is_shown_as_a_question(self) -> None:
        with pytest.raises(TexelscopeError, match=r"got \[\?,4\]\. Give one, such as --shape x=1,4"):
            load(model([node("Relu", "x", "y")], [value("x", [None, 4])], [value("y", None)]))  # type: ignore[list-item]

    @pytest.mark.parametrize("shape", [(1, 4, 8, 8), (1, 3, 8), (3,)])
    def test_a_shape_must_agree_with_what_is_fixed(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(
            TexelscopeError, match=r"expected a shape that agrees with \[N,3,H,W\], got .*Change --shape"
        ):
            load(dynamic(), {"x": shape})

    @pytest.mark.parametrize("old_style", [0, -1])
    def test_zero_and_minus_one_are_how_old_exporters_said_free(self, old_style: int) -> None:
        made = model([node("Relu", "x", "y")], [value("x", [old_style, 3])], [value("y", None)])
        assert load(made, {"x": (4, 3)}).tensors["y"].shape == (4, 3)

    def test_a_shape_for_no_input_is_refused(self) -> None:
        with pytest.raises(
            TexelscopeError, match=r"--shape xx: expected a tensor of the model, got 'xx'\. Did you mean 'x'"
        ):
            load(relu(), {"xx": IMAGE})

    @pytest.mark.parametrize(
        ("given", "declared"), [(None, (1, 0, 8, 8)), ((1, 3, 0, 8), DYNAMIC), (None, (1, -1, 8, 8))]
    )
    def test_a_shape_with_a_zero_has_no_texture(
        self, given: tuple[int, ...] | None, declared: tuple[int | str, ...]
    ) -> None:
        made = model([node("Relu", "x", "y")], [value("x", declared)], [value("y", None)])
        with pytest.raises(TexelscopeError, match=r"expected a shape of positive sizes, got .*--shape x=1,3,(8|224),8"):
            load(made, {"x": given} if given else {})

    def test_all_inputs_are_asked_for_at_once_with_words_to_paste(self) -> None:
        made = model(
            [node("Relu", "image", "y"), node("Cast", "ids", "z", to=1), node("Relu", "a b", "w")],
            [
                value("image", ["unk__1", "unk__2", "unk__3", 3]),
                value("ids", ["batch", "sequence"], onnx.TensorProto.INT64),
                value("fixed", [1, 2]),
                value("a b", ["batch", "frames", 80]),
            ],
            [value("y", None), value("z", None), value("w", None)],
        )
        made.graph.node[2].input[:] = ["a b"]
        with pytest.raises(TexelscopeError) as refusal:
            load(made)
        assert str(refusal.value) == (
            "net: expected inputs without free dimensions, got 'image' [unk__1,unk__2,unk__3,3], "
            "'ids' [batch,sequence], 'a b' [batch,frames,80]. Give their shapes, such as "
            "--shape image=1,224,224,3 --shape ids=1,16 --shape 'a b=1,16,80'"
        )

    def test_a_dimension_of_the_same_name_has_the_same_size_everywhere(self) -> None:
        made = model(
            [node("Add", "a b", "y")], [value("a", ["n", "s"]), value("b", ["n", "s"])], [value("y", ["n", "s"])]
        )
        assert load(made, {"a": (2, 5)}).tensors["b"].shape == (2, 5)
        made.graph.input.append(value("c", ["n", "t"]))
        with pytest.raises(TexelscopeError, match=r"input 'c' .*got \[n,t\]\. Give one, such as --shape c=2,16"):
            load(made, {"a": (2, 5)})

    @pytest.mark.parametrize(
        ("declared", "guessed"),
        [
            ([None, None, None, 3], "1,224,224,3"),
            ([None, None, None, 1], "1,224,224,1"),
            (["batch", 1, "height", "width"], "1,1,224,224"),
            ([1, 3, 320, "width"], "1,3,320,224"),
            ([1, 3, 320, None], "1,3,320,320"),
            (["N", "height", "width", "C"], "1,224,224,3"),
            (["h", "w", 3], "224,224,3"),
            ([None, 128], "1,128"),
            (["batch_size", "N"], "1,16"),
            (["batch", "T", 16, "H", "W"], "1,16,16,224,224"),
            ([None], "1"),
        ],
    )
    def test_the_arrangement_of_an_input_is_guessed(self, declared: list[int | str], guessed: str) -> None:
        made = model([node("Relu", "x", "y")], [value("x", declared)], [value("y", None)])
        with pytest.raises(TexelscopeError, match=f"--shape x={guessed}$"):
            load(made)

    def test_an_input_that_the_model_turns_itself_has_its_channels_last(self) -> None:
        turn = node("Transpose", "x", "y", perm=[0, 3, 1, 2])
        with pytest.raises(TexelscopeError, match=r"--shape x=1,224,224,3\.?$"):
            load(model([turn], [value("x", [None, None, None, None])], [value("y", None)]))  # type: ignore[list-item]

    def test_sizes_are_32_bit(self) -> None:
        with pytest.raises(
            TexelscopeError, match=r"input 'x' \(net\): expected sizes of at most 2147483647, got \[1, 3,"
        ):
            load(dynamic(), {"x": (1, 3, 2**31, 1)})


class TestFolding:
    """Tests that whatever does not depend on the inputs is computed once, before planning."""

    def test_a_reshape_fed_by_shape_slice_and_concat_is_static(self) -> None:
        nodes = [
            node("Shape", "x", "s"),
            node("Slice", "s zero two", "front"),
            node("Concat", "front rest", "target", axis=0),
            node("Reshape", "x target", "y", "reshape"),
        ]
        weights = {name: np.array([v], np.int64) for name, v in (("zero", 0), ("two", 2), ("rest", -1))}
        graph = load(model(nodes, outputs=[value("y", None)], weights=weights))
        assert [each.op_type for each in graph.nodes] == ["Reshape"]
        assert graph.constants["target"].tolist() == [1, 3, -1]
        assert graph.tensors["y"].shape == (1, 3, 64)

    def test_only_constants_that_somebody_reads_are_kept(self) -> None:
        graph = load(model([node("Add", "w w", "v"), node("Mul", "x v", "y")], weights={"w": array(1)}))
        assert set(graph.constants) == {"v"}

    def test_random_numbers_are_not_constants(self) -> None:
        graph = load(model([node("RandomNormalLike", "w", "r"), node("Mul", "x r", "y")], weights={"w": array(1)}))
        assert [each.op_type for each in graph.nodes] == ["RandomNormalLike", "Mul"]

    def test_a_constant_out_of_proportion_is_refused_before_it_takes_memory(self) -> None:
        nodes = [
            node("ConstantOfShape", "s", "a"),
            node("ConstantOfShape", "s", "b", "second"),
            node("Sum", "x a b", "y"),
        ]
        made = model(nodes, outputs=[value("y", None)], weights={"s": np.array([8, 8], np.int64)})
        message = (
            r"ConstantOfShape 'second' \(net\): expected at most 100 folded elements, "
            r"got 128 of constants that nodes make, \[8, 8\] the last\. If you trust it: --limit folded_elements=128\."
        )
        with allowing(Quotas(folded_elements=100)), pytest.raises(QuotaError, match=message):
            load(made)
        with allowing(Quotas(folded_elements=128)):
            assert load(made).nodes

    def test_what_the_oracle_cannot_evaluate_stays_a_node(self) -> None:
        made = model([node("Foo", "w", "c", domain="own"), node("Mul", "x c", "y")], weights={"w": array(1)})
        assert [each.op_type for each in load(made).nodes] == ["Foo", "Mul"]


class TestUnknownOperators:
    """They are no reason not to open a model."""

    @staticmethod
    def loaded(*, declared: bool) -> Graph:
        nodes = [node("Relu", "x", "a"), node("Foo", "a", "b", "odd", domain="own"), node("Relu", "b", "y")]
        made = model(nodes)
        if declared:
            made.graph.value_info.append(value("b", (1, 3, 4, 4)))
        return load(made)

    def test_what_follows_has_no_shape(self) -> None:
        assert "b" not in self.loaded(declared=False).tensors

    def test_unless_the_model_declares_it(self) -> None:
        assert self.loaded(declared=True).tensors["b"].shape == (1, 3, 4, 4)

    def test_bodies_of_branches_are_neither_run_nor_inferred(self) -> None:
        body = helper.make_graph([node("Relu", "a", "t")], "body", [], [value("t", IMAGE)])
        nodes = [
            node("If", "c", "b", then_branch=body, else_branch=body),
            node("Relu", "x", "a"),
            node("Relu", "b", "y"),
        ]
        graph = load(model(nodes, [value("x"), value("c", [], onnx.TensorProto.BOOL)]))
        assert [each.op_type for each in graph.nodes] == ["Relu", "If", "Relu"]  # what a body reads comes first

    def test_shapes_behind_an_operator_of_somebody_elses_come_from_the_file_with_sizes_by_name(self) -> None:
        made = behind_a_mystery()
        made.graph.value_info.append(value("a", ["N", 3, "H", 8]))
        made.graph.input[0].CopyFrom(value("x", ["N", 3, "H", 8]))
        assert load(made, {"x": (2, 3, 4, 8)}).tensors["y"].shape == (2, 3, 4, 8)

    def test_or_from_the_one_who_asks(self) -> None:
        assert "y" not in load(behind_a_mystery()).tensors
        tensors = load(behind_a_mystery(), {"a": (1, 7)}).tensors
        assert (tensors["y"].shape, tensors["a"].dtype) == ((1, 7), "float32")
        with pytest.raises(TexelscopeError) as refusal:
            load(behind_a_mystery(), {"y": (1, 7), "a": (2, 7)})
        assert str(refusal.value) == (
            "--shape y: expected what Relu 'y' (net) makes, [2,7], got [1, 7]. Correct or remove it."
        )

    def test_a_value_is_of_the_type_that_is_said_of_its_tensor(self) -> None:
        made = behind_a_mystery()
        made.graph.value_info.append(value("a", ["N", "M"], onnx.TensorProto.FLOAT16))
        tensors = graph_of(made, "net", {}, {"a": np.zeros((3, 2), np.float32)}).tensors
        assert (tensors["y"].shape, tensors["y"].dtype) == ((3, 2), "float16")

    def test_or_from_values_at_hand(self) -> None:
        made = behind_a_mystery()
        made.graph.node[1].op_type = "Neg"
        tensors = graph_of(made, "net", {}, {"a": np.zeros((3, 2), np.int32)}).tensors
        assert (tensors["y"].shape, tensors["y"].dtype) == ((3, 2), "int32")

    def test_a_shape_that_depends_on_data_is_left_out(self) -> None:
        nodes = [node("NonZero", "x", "n"), node("Cast", "n", "y", to=1)]
        assert "n" not in load(model(nodes, outputs=[value("y", None)])).tensors


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (model([node("Relu", "x x", "y", "r")]), r"Relu 'r' \(net\): expected 1 input, got 2\. Check the exporting"),
        (
            model([node("Conv", "x w", "y", strides=[0, 0])], weights={"w": array(2, 3, 3, 3)}),
            r"expected inputs and attributes that fit the operator, got 'x' float32\[1,3,8,8\], "
            r"'w' float32\[2,3,3,3\], strides=\[0, 0\]\. Check",
        ),
        (
            model([node("Mul", "x n", "y", "m")], weights={"n": np.array([2])}),
            r"Mul 'm' \(net\): expected inputs of one element type, got float32 'x' and int64 'n'\. Check",
        ),
        (
            model([node("Sin", "x", "y", "s")], [value("x", [1], onnx.TensorProto.INT64)]),
            r"expected an input 'input' of float16 or float32 or float64 in opset 7, got int64 'x'\.",
        ),
        (
            model([node("Concat", "x w", "y", axis=1)], weights={"w": array(2, 3, 3, 3)}),
            r"got 'x' float32\[1,3,8,8\], 'w' float32\[2,3,3,3\], axis=1",
        ),
        (model([node("Relu", "x", "y")], [value("x", [1], onnx.TensorProto.STRING)]), "real numbers, got string"),
        (model([node("Relu", "x", "y")], [value("x", [1], onnx.TensorProto.COMPLEX64)]), "real numbers, got complex64"),
        (
            model([node("Identity", "x", "y")], [helper.make_tensor_sequence_value_info("x", 1, [1])]),
            r"input 'x' \(net\): expected a tensor, got a sequence\. Re-export the model",
        ),
        (
            model([helper.make_node("Relu", ["x"], ["y"], name="r", odd=onnx.TensorProto(dims=[2], data_type=1))]),
            r"tensor '' \(net\): expected data of shape \[2\]",
        ),
    ],
)
def test_a_model_that_is_not_well_formed_is_told(broken: onnx.ModelProto, message: str) -> None:
    with pytest.raises(TexelscopeError, match=message):
        load(broken)


def test_an_attribute_that_refers_to_a_function_outside_any_is_told() -> None:
    broken = relu()
    broken.graph.node[0].attribute.append(onnx.AttributeProto(name="odd", ref_attr_name="outer"))
    with pytest.raises(TexelscopeError, match=r"Relu 'act' \(net\): expected a value of attribute 'odd', got "):
        load(broken)


def test_nodes_of_one_name_are_told_apart() -> None:
    nodes = [node("Relu", "x", "a", "r"), node("Relu", "a", "b", "r"), node("Relu", "b", "y", "r#2")]
    assert [each.name for each in load(model(nodes)).nodes] == ["r", "r#2", "r#2#2"]


def test_a_node_without_a_name_is_called_after_its_output() -> None:
    assert [each.name for each in load(model([node("Relu", "x", "y")])).nodes] == ["y"]


def test_schema_defaults_are_written_into_the_attributes() -> None:
    (leaky,) = load(model([node("LeakyRelu", "x", "y")])).nodes
    assert leaky.attributes["alpha"] == pytest.approx(0.01)


def test_initializers_among_the_inputs_are_no_inputs() -> None:
    made = model([node("Mul", "x w", "y")], [value("x"), value("w", [1])], weights={"w": array(1)})
    assert load(made).inputs == ("x",)


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int8, np.uint8, np.int64, np.bool_])
def test_weights_of_any_real_type_are_kept_as_they_are(dtype: type) -> None:
    weights: np.ndarray = np.array([0, 1, 1]).astype(dtype).reshape(3, 1, 1)
    made = model([node("CastLike", "x w", "c"), node("Equal", "c w", "y")], weights={"w": weights}, opset=19)
    graph = load(made)
    assert graph.constants["w"].dtype == dtype
    assert graph.tensors["c"].dtype == np.dtype(dtype).name


def test_an_operator_that_its_opset_withdrew_is_as_it_was_before() -> None:
    up = node("Upsample", "x scales", "a", "up")
    weights = {"scales": np.array([1, 1, 2, 3], np.float32)}
    made = model([up, node("Relu", "a", "y")], outputs=[value("y", None)], weights=weights, opset=10)
    plan = pipeline.plan_of(made)
    assert [each.operator for each in plan.passes] == ["Upsample", "Relu"]
    assert plan.textures["y"].shape == (1, 3, 16, 24)


@pytest.mark.parametrize("op_type", ["GroupNormalization", "MeanVarianceNormalization"])
def test_what_onnx_does_not_infer_is_as_the_input(op_type: str) -> None:
    parameters = {"s": np.ones(3, np.float32), "b": np.ones(3, np.float32)}
    head = (
        node(op_type, "x s b", "a", "norm", num_groups=3)
        if op_type == "GroupNormalization"
        else node(op_type, "x", "a", "norm")
    )
    made = model([head, node("Relu", "a", "y")], weights=parameters, opset=21)
    assert load(made).tensors["a"].shape == IMAGE
    assert not pipeline.plan_of(made).not_run


@pytest.mark.parametrize(
    ("element", "operators"), [(onnx.TensorProto.FLOAT, ["Greater", "Cast"]), (7, ["Cast", "Greater", "Cast"])]
)
def test_a_binarizer_is_a_comparison_and_its_result_of_the_type_of_its_input(
    element: int, operators: list[str]
) -> None:
    head = node("Binarizer", "x", "y", "binary", domain="ai.onnx.ml", threshold=0.5)
    made = model([head], [value("x", IMAGE, element)], [value("y", IMAGE, element)])
    made.opset_import.append(helper.make_opsetid("ai.onnx.ml", 1))
    plan = pipeline.plan_of(made)
    assert [each.operator for each in plan.passes] == operators
    assert plan.textures["y"].dtype == ("float32" if element == onnx.TensorProto.FLOAT else "int64")


def test_unpooling_to_a_given_size_has_that_size() -> None:
    sizes = {"i": np.zeros((1, 3, 4, 4), np.int64), "s": np.array([1, 3, 9, 9])}
    pool = node("MaxUnpool", "x i s", "a", "unpool", kernel_shape=[2, 2], strides=[2, 2])
    made = model([pool, node("Relu", "a", "y")], [value("x", (1, 3, 4, 4))], [value("y", None)], weights=sizes)
    assert load(made).tensors["y"].shape == (1, 3, 9, 9)


@pytest.mark.parametrize("said", [1, 2, 4])
def test_a_split_into_another_number_than_its_outputs_is_refused(said: int) -> None:
    made = model([node("Split", "x", "a b c", "parts", axis=1, num_outputs=said)], outputs=[value("a", None)], opset=18)
    with pytest.raises(
        TexelscopeError, match=rf"Split 'parts' \(net\): expected {said} outputs, its 'num_outputs', got 3"
    ):
        load(made)
