"""Programs of TensorFlow.js as nodes of ONNX: those that make what was recorded, or else the recording itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tfjs_recordings import HEAD, SAME, Page, convolved, four_programs, numbers
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.oracle.choice import oracle_of
from texelscope.pipeline.plan import Plan, Tolerance
from texelscope.pipeline.target import OpenOptions

Array = NDArray[np.float32]


def planned(
    tmp_path: Path,
    name: str,
    reads: dict[str, Array],
    output: Array,
    *,
    text: str = "",
    packed: bool = False,
    **more: Any,
) -> Plan:
    """The plan of a page with one program; its text is never run here."""
    page = Page()
    arrangement = "packed" if packed else "unpacked"
    bound = {uniform: (page.texture(value, arrangement), value.shape) for uniform, value in reads.items()}
    page.program(name, HEAD + text, bound, page.texture(output, arrangement), **more)
    return plan_of(page.write(tmp_path), OpenOptions())


def meaning_of(plan: Plan) -> Array:
    """Computes what the plan's only pass means, of the recorded inputs."""
    oracle = oracle_of(plan)
    assert oracle is not None
    assert plan.recorded is not None
    expected = oracle.isolated(plan.recorded.values, plan.passes[0].output)
    assert expected is not None
    return np.asarray(expected.value, dtype=np.float32)


def recorded_of(plan: Plan) -> Array:
    """Returns what the plan's only pass made on the page."""
    assert plan.recorded is not None
    return np.asarray(plan.recorded.values[plan.passes[0].output])


X = numbers(1, 5, 4, 3)
DEPTHWISE = numbers(3, 3, 3, 2, seed=2)


def depthwise() -> Array:
    """Computes by loops: channel c has two filters."""
    padded = np.pad(X, ((0, 0), (1, 1), (1, 1), (0, 0)))
    y = np.zeros((1, 5, 4, 6), dtype=np.float32)
    for r, c in np.ndindex(3, 3):
        y += (padded[:, r : r + 5, c : c + 4, :, None] * DEPTHWISE[r, c]).reshape(1, 5, 4, 6)
    return y


def pooled(reduce: Any) -> Array:
    """2 x 2 by 2, `same`: the last row stands alone."""
    rows = [slice(0, 2), slice(2, 4), slice(4, 5)]
    columns = [slice(0, 2), slice(2, 4)]
    return np.stack([np.stack([reduce(X[:, r, c], axis=(1, 2)) for c in columns], 1) for r in rows], 1)


POOL = {"filterSize": [2, 2], "strides": [2, 2], "pad": "same"}
A, B = numbers(1, 6, 4), numbers(1, 6, 5, seed=3)
VECTORS = {name: numbers(3, seed=seed) for seed, name in enumerate(("mean", "offset", "scale"), 4)}
VARIANCE = np.abs(numbers(3, seed=8)) + np.float32(0.5)

DEEP = numbers(1, 2, 3, 8, seed=9)
# The lanes of a texel are first rows, then columns, then channels of its block.
SPACE = DEEP.reshape(1, 2, 3, 2, 2, 2).transpose(0, 1, 3, 2, 4, 5).reshape(1, 4, 6, 2)
INSIDE, ABOVE = np.tanh(X) * np.float32(0.9), np.abs(X) + np.float32(1.25)
SELU = np.where(X > 0, X, 1.6732632423543772 * (np.exp(X) - 1)) * 1.0507009873554805


@pytest.mark.parametrize(
    ("name", "reads", "output", "more", "operator"),
    [
        ("DepthwiseConv2DProgram", {"x": X, "W": DEPTHWISE}, depthwise(),
         {"kernel": "DepthwiseConv2dNative", "attributes": SAME}, "Conv"),
        ("Pool2DProgram", {"x": X}, pooled(np.max), {"kernel": "MaxPool", "attributes": POOL}, "MaxPool"),
        ("Pool2DProgram", {"x": X}, pooled(np.mean), {"kernel": "AvgPool", "attributes": POOL}, "AveragePool"),
        ("MatMulPackedProgram", {"matrixA": A, "matrixB": B}, A.transpose(0, 2, 1) @ B,
         {"text": "vec4 a = getMatrixA(batchA, i * 2, rc.y);", "packed": True}, "MatMul"),
        ("ResizeBilinearProgram", {"A": X[:, ::2, ::3]}, X[:, ::2, ::3].repeat(2, 1).repeat(2, 2)[:, ::2, ::2],
         {"kernel": "ResizeBilinear", "attributes": {"alignCorners": False, "halfPixelCenters": False}}, "Resize"),
        ("BatchNormProgram", {"x": X, **VECTORS, "variance": VARIANCE},
         ((X - VECTORS["mean"]) / np.sqrt(VARIANCE + 0.01) * VECTORS["scale"] + VECTORS["offset"]).astype(np.float32),
         {"kernel": "FusedBatchNorm", "attributes": {"varianceEpsilon": 0.01}}, "BatchNormalization"),
        ("ReduceProgram", {"x": A[0]}, A[0].max(axis=1, keepdims=True),
         {"kernel": "Softmax", "text": "setOutput(max(a, b));"}, "ReduceMax"),
        ("ReduceProgram", {"x": A[0]}, A[0].reshape(6, 2, 2).sum(axis=2),
         {"kernel": "Softmax", "text": "setOutput(sumValue);"}, "ReduceSum"),
        ("UnaryOpProgram", {"A": X}, np.exp(X),
         {"kernel": "Softmax", "text": "float unaryOperation(float x) { return exp(x); }\nvoid main() {}"}, "Exp"),
        ("UnaryOpProgram", {"A": X}, np.clip(X, 0, 6), {"kernel": "Relu6"}, "Clip"),
        ("BinaryOpProgram", {"A": X, "B": VECTORS["mean"]}, X - VECTORS["mean"],
         {"kernel": "Softmax", "text": "float binaryOperation(float a, float b) { return a - b; } void main()"}, "Sub"),
        ("BinaryOpProgram", {"A": X, "B": VECTORS["mean"]}, X / VECTORS["mean"], {"kernel": "RealDiv"}, "Div"),
        ("ClipProgram", {"A": X}, np.clip(X, -0.5, 0.25), {"uniforms": {"minVal": -0.5, "maxVal": 0.25}}, "Clip"),
        ("TransposeProgram", {"A": X}, X.transpose(0, 3, 1, 2), {"attributes": {"perm": [0, 3, 1, 2]}}, "Transpose"),
        ("ConcatProgram", {"T0": A[0], "T1": B[0]}, np.concatenate([A[0], B[0]], 1), {}, "Concat"),
        ("SliceProgram", {"source": A[0]}, A[0, 1:3, 2:], {"uniforms": {"start": [1, 2]}}, "Slice"),
        ("TileProgram", {"A": A[0]}, np.tile(A[0], (2, 1)), {"kernel": "Tile", "attributes": {"reps": [2, 1]}}, "Tile"),
        ("ReversePackedProgram", {"x": A}, A[::-1, :, ::-1],
         {"kernel": "Reverse", "attributes": {"dims": [0, -1]}, "packed": True}, "Slice"),
        ("MirrorPadProgram", {"x": A[0]}, np.pad(A[0], ((1, 2), (2, 0)), "reflect"),
         {"kernel": "MirrorPad", "attributes": {"paddings": [[1, 2], [2, 0]], "mode": "reflect"}}, "Pad"),
        ("SelectProgram", {"c": (A > 0).astype(np.float32), "a": A, "b": A + 1}, np.where(A > 0, A, A + 1),
         {"kernel": "Select"}, "Where"),
        ("DepthToSpaceProgram", {"x": DEEP}, SPACE,
         {"kernel": "DepthToSpace", "attributes": {"blockSize": 2, "dataFormat": "NHWC"}}, "DepthToSpace"),
        ("PadProgram", {"x": A[0]}, np.pad(A[0], ((1, 0), (0, 2))),
         {"attributes": {"paddings": [[1, 0], [0, 2]], "constantValue": 0}}, "Pad"),
    ],
)  # fmt: skip
def test_a_program_is_known_by_its_name_and_what_was_asked_for(
    tmp_path: Path, name: str, reads: dict[str, Array], output: Array, more: dict[str, Any], operator: str
) -> None:
    plan = planned(tmp_path, name, reads, np.ascontiguousarray(output), **more)
    assert not plan.warnings
    assert plan.passes[0].operator.endswith(operator)


def test_the_rows_behind_a_product_are_a_convolution_that_picks_taps(tmp_path: Path) -> None:
    picks = np.eye(27, dtype=np.float32).reshape(3, 3, 3, 27)
    rows = convolved(X, picks, kernel_shape=(3, 3), strides=(1, 1), dilations=(1, 1), pads=(1, 1, 1, 1))
    output = np.ascontiguousarray(rows.reshape(1, 20, 27).transpose(0, 2, 1))
    settings = {"itemsPerBlockRow": 9, "outWidth": 4}
    asked: dict[str, Any] = {"kernel": "Conv2D", "attributes": SAME, "uniforms": settings}
    plan = planned(tmp_path, "Im2ColPackedProgram", {"A": X}, output, packed=True, **asked)
    assert plan.passes[0].operator == "Conv"


@pytest.mark.parametrize("attributes", [{}, {**POOL, "strides": [0, 2]}, {**POOL, "pad": 1 << 40}, {**POOL, "pad": {}}])
def test_what_nobody_can_make_sense_of_is_judged_by_its_recording(tmp_path: Path, attributes: dict[str, Any]) -> None:
    plan = planned(tmp_path, "Pool2DProgram", {"x": X}, pooled(np.max), kernel="MaxPool", attributes=attributes)
    assert plan.passes[0].operator == "Pool2D"
    assert plan.graph is not None
    assert [node.op_type for node in plan.graph.nodes] == ["Recorded"]


@pytest.mark.parametrize(
    ("name", "reads", "output", "more"),
    [
        ("Pool2DProgram", {"x": X}, pooled(np.mean), {"kernel": "MaxPool", "attributes": POOL}),
        ("ClipProgram", {"A": X}, X, {"kernel": "ClipByValue",
         "attributes": {"clipValueMin": -0.5, "clipValueMax": 0.5}, "uniforms": {"minVal": -9.0, "maxVal": 9.0}}),
        ("SliceProgram", {"source": A[0]}, A[0, 1:3, 2:],
         {"kernel": "Slice", "attributes": {"begin": [0, 2], "size": [2, 2]}, "uniforms": {"start": [1, 2]}}),
        ("ConcatPackedProgram", {"T0": A[:, :4], "T1": A[:, 1:5]}, np.concatenate([A[:, 1:5], A[:, :4]], 1),
         {"kernel": "Concat", "attributes": {"axis": -2}, "packed": True}),
        ("ReduceProgram", {"x": A[0]}, A[0].max(1, keepdims=True),
         {"kernel": "Min", "text": "setOutput(max(a, b));"}),
        ("MeanProgram", {"x": A[0]}, A[0].sum(1, keepdims=True), {"kernel": "Mean"}),
        ("BatchNormProgram", {"x": X, **VECTORS, "variance": VARIANCE},
         ((X - VECTORS["mean"]) / np.sqrt(VARIANCE + 1e-3) * VECTORS["scale"] + VECTORS["offset"]).astype(np.float32),
         {"kernel": "FusedBatchNorm", "attributes": {"varianceEpsilon": 0.0}}),
    ],
)  # fmt: skip
def test_what_kernel_and_attributes_state_is_the_oracle_whatever_was_recorded(
    tmp_path: Path, name: str, reads: dict[str, Array], output: Array, more: dict[str, Any]
) -> None:
    plan = planned(tmp_path, name, reads, np.ascontiguousarray(output), **more)
    assert plan.passes[0].oracle == "meaning"
    assert not plan.tolerances
    assert np.abs(meaning_of(plan) - recorded_of(plan)).max() > 1e-4


@pytest.mark.parametrize(
    ("name", "reads", "output", "more"),
    [
        ("Pool2DProgram", {"x": X}, pooled(np.max),  # the recording lacks the strides
         {"kernel": "MaxPool", "attributes": {"filterSize": [2, 2], "pad": "same"}}),
        ("DepthwiseConv2DProgram", {"x": X, "W": DEPTHWISE}, depthwise(), {"attributes": SAME}),  # no kernel
        ("UnaryOpProgram", {"A": X}, np.exp(X),  # the text says which step of it this is
         {"kernel": "Softmax", "text": "float unaryOperation(float x) { return exp(x); }\nvoid main() {}"}),
        ("MatMulPackedProgram", {"matrixA": A, "matrixB": B}, A.transpose(0, 2, 1) @ B,
         {"text": "vec4 a = getMatrixA(batchA, i * 2, rc.y);", "packed": True}),
        ("UnaryOpProgram", {"A": X}, np.sign(X), {"kernel": "Sign"}),  # TensorFlow.js makes 0 of NaN
        ("SliceProgram", {"source": A[0]}, A[0, 1:3, 2:], {"kernel": "SplitV", "uniforms": {"start": [1, 2]}}),
    ],
)  # fmt: skip
def test_a_reading_that_the_recording_alone_confirms_is_no_stated_meaning(
    tmp_path: Path, name: str, reads: dict[str, Array], output: Array, more: dict[str, Any]
) -> None:
    plan = planned(tmp_path, name, reads, np.ascontiguousarray(output), **more)
    assert plan.passes[0].oracle == "recording"


@pytest.mark.parametrize(
    ("kernel", "x", "y"),
    [
        ("Tan", INSIDE, np.tan(INSIDE)), ("Asin", INSIDE, np.arcsin(INSIDE)), ("Acos", INSIDE, np.arccos(INSIDE)),
        ("Atan", X, np.arctan(X)), ("Sinh", X, np.sinh(X)), ("Cosh", X, np.cosh(X)), ("Asinh", X, np.arcsinh(X)),
        ("Acosh", ABOVE, np.arccosh(ABOVE)), ("Atanh", INSIDE, np.arctanh(INSIDE)), ("Round", 3 * X, np.rint(3 * X)),
        ("Selu", X, SELU), ("Square", X, X * X), ("Rsqrt", ABOVE, 1 / np.sqrt(ABOVE)), ("IsNan", X, np.isnan(X)),
        ("Log1p", ABOVE, np.log1p(ABOVE)), ("Expm1", X, np.expm1(X)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("wrong", [0.0, 0.5])
def test_a_kernel_of_one_tensor_states_its_function(
    tmp_path: Path, kernel: str, x: Array, y: Array, wrong: float
) -> None:
    recorded = (y + wrong).astype(np.float32)
    plan = planned(tmp_path, "UnaryOpProgram", {"A": x}, recorded, kernel=kernel)
    assert plan.passes[0].oracle == "meaning"
    np.testing.assert_allclose(meaning_of(plan), recorded_of(plan) - wrong, rtol=1e-5, atol=1e-6)


OTHER = numbers(1, 5, 4, 3, seed=12)


@pytest.mark.parametrize(
    ("kernel", "y"),
    [
        ("Greater", X > OTHER), ("GreaterEqual", X >= X), ("Less", X < OTHER), ("LessEqual", X <= OTHER),
        ("Equal", X == OTHER), ("SquaredDifference", (X - OTHER) ** 2), ("FloorDiv", np.floor(X / OTHER)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("wrong", [0.0, 0.5])
def test_a_kernel_of_two_tensors_states_its_function(tmp_path: Path, kernel: str, y: Array, wrong: float) -> None:
    reads = {"A": X, "B": X if kernel == "GreaterEqual" else OTHER}
    plan = planned(tmp_path, "BinaryOpProgram", reads, (y + wrong).astype(np.float32), kernel=kernel)
    assert plan.passes[0].oracle == "meaning"
    np.testing.assert_allclose(meaning_of(plan), recorded_of(plan) - wrong, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("dtype", "scale", "oracle"), [
    ("int32", 1.0, "meaning"), ("int32", 1e9, "recording"), ("bool", 1.0, "meaning"),
])  # fmt: skip
def test_whole_numbers_that_floats_hold_are_what_a_rounding_kernel_means(
    tmp_path: Path, dtype: str, scale: float, oracle: str
) -> None:
    page = Page()
    given, made = np.float32(scale) * X, np.floor(np.float32(scale) * X / np.abs(OTHER))
    reads = {"A": (page.texture(given), X.shape), "B": (page.texture(np.abs(OTHER)), X.shape)}
    page.program(
        "BinaryOpProgram", HEAD, reads, page.texture(made.astype(np.float32)), kernel="FloorDiv", attributes={}
    )
    page.about["textures"][-1]["dtype"] = dtype
    assert plan_of(page.write(tmp_path), OpenOptions()).passes[0].oracle == oracle


@pytest.mark.parametrize(("storage", "rounding"), [("float32", 0.0), ("float16", 2.0**-10)])
def test_an_inverse_function_is_allowed_what_drivers_are(tmp_path: Path, storage: str, rounding: float) -> None:
    def tolerances(recorded: Array) -> Mapping[str, Tolerance]:
        page = Page()
        reads = {"A": (page.texture(INSIDE), INSIDE.shape)}
        page.program("UnaryOpProgram", HEAD, reads, page.texture(recorded), kernel="Asin", attributes={})
        page.about["textures"][-1]["type"] = storage
        return plan_of(page.write(tmp_path), OpenOptions()).tolerances

    allowed = tolerances(np.arcsin(INSIDE))["0_UnaryOp"]
    assert allowed.rtol == rounding
    assert allowed.atol == pytest.approx(4096 * 2.0**-24 * np.abs(np.arcsin(INSIDE)).max(), rel=1e-3)
    assert not tolerances(INSIDE)


def test_a_guess_that_does_not_make_what_was_recorded_is_said_to_be_none(tmp_path: Path) -> None:
    text = "float unaryOperation(float x) { return exp(x); }\nvoid main()"
    plan = planned(tmp_path, "UnaryOpProgram", {"A": X}, np.exp(X) + 1, kernel="Mystery", text=text)
    assert plan.passes[0].oracle == "recording"
    assert plan.warnings == (
        "0_UnaryOp: no known meaning of Mystery makes what was recorded; the pass is compared with the recording.",
    )


def test_operands_are_in_the_order_of_their_names_not_of_the_recording(tmp_path: Path) -> None:
    page = Page()
    one, other = page.texture(X), page.texture(np.abs(X) + 1)
    reads = {"B": (other, X.shape), "A": (one, X.shape)}
    page.program("BinaryOpProgram", HEAD, reads, page.texture(X - (np.abs(X) + 1)), kernel="Sub", attributes={})
    plan = plan_of(page.write(tmp_path), OpenOptions())
    assert np.abs(meaning_of(plan) - recorded_of(plan)).max() < 1e-6


def test_integers_are_compared_with_the_recording(tmp_path: Path) -> None:
    page = Page()
    reads = {"A": (page.texture(X), X.shape), "B": (page.texture(X), X.shape)}
    page.program("BinaryOpProgram", HEAD, reads, page.texture(X + X), kernel="Add", attributes={})
    page.about["textures"][-1]["dtype"] = "int32"
    assert plan_of(page.write(tmp_path), OpenOptions()).passes[0].oracle == "recording"


@pytest.mark.parametrize(("half", "corners"), [(False, False), (True, False), (False, True)])
def test_the_nearest_element_is_tensorflow_js_own(tmp_path: Path, half: bool, corners: bool) -> None:
    """TensorFlow.js's own formula: backend_cpu's ResizeNearestNeighbor."""

    def places(old: int, new: int) -> list[int]:
        scale = (old - 1) / (new - 1) if corners else old / new
        at = [(i + 0.5 * half) * scale + 0.5 * corners for i in range(new)]
        return [min(old - 1, math.floor(each)) for each in at]

    output = X[:, places(5, 11)][:, :, places(4, 9)]
    asked: dict[str, Any] = {"alignCorners": corners, "halfPixelCenters": half}
    plan = planned(
        tmp_path, "ResizeNearestNeighborProgram", {"A": X}, output, kernel="ResizeNearestNeighbor", attributes=asked
    )
    assert plan.passes[0].oracle == "meaning"
    assert np.array_equal(meaning_of(plan), recorded_of(plan))


def test_the_stages_of_a_mean_are_told_by_what_they_read(tmp_path: Path) -> None:
    page = Page()
    x = numbers(2, 100)
    sums = x.reshape(2, 10, 10).sum(2) / np.float32(100)
    first, second, third = page.texture(x), page.texture(sums), page.texture(sums.sum(1, keepdims=True))
    page.program("MeanProgram", HEAD, {"x": (first, (2, 100))}, second, kernel="Mean")
    page.program("MeanProgram", HEAD, {"x": (second, (2, 10))}, third, kernel="Mean")
    plan = plan_of(page.write(tmp_path), OpenOptions())
    assert [(each.oracle, each.operator) for each in plan.passes] == [
        ("meaning", "ReduceSum+Div"), ("meaning", "ReduceSum"),
    ]  # fmt: skip


def test_a_formula_that_is_coarser_than_its_meaning_is_allowed_what_it_was_off_by(tmp_path: Path) -> None:
    x = np.linspace(1e-3, 2e-3, 8, dtype=np.float32)
    coarse = (np.float32(16.0) + np.tanh(x)) - np.float32(16.0)
    plan = planned(tmp_path, "UnaryOpProgram", {"A": x}, coarse, kernel="Tanh")
    assert plan.passes[0].operator == "Tanh"
    assert 1e-7 < plan.tolerances["0_UnaryOp"].atol < 1e-5
    exact = planned(tmp_path, "UnaryOpProgram", {"A": x}, np.tanh(x), kernel="Tanh")
    assert not exact.tolerances


def test_a_small_tensor_in_a_uniform_is_a_constant(tmp_path: Path) -> None:
    page = Page()
    reads = {"A": (page.texture(X), X.shape)}
    page.program("BinaryOpProgram", HEAD, reads, page.texture(X * np.float32(3.0)), kernel="Multiply", attributes={})
    page.about["programs"][0]["inputs"].append({"uniform": "B", "shape": [], "values": [3.0]})
    plan = plan_of(page.write(tmp_path), OpenOptions())
    assert plan.passes[0].operator == "Mul"


def test_a_texture_keeps_the_width_that_it_was_recorded_with(tmp_path: Path) -> None:
    page = Page()
    wide, narrow = page.texture(X, "unpacked", 6), page.texture(np.abs(X), "packed", 3)
    page.program("UnaryOpProgram", HEAD, {"A": (wide, X.shape)}, narrow, kernel="Abs")
    plan = plan_of(page.write(tmp_path), OpenOptions())
    assert plan.textures["0_UnaryOp.A"].layout.parameters == {"width": 6, "order": "nhwc"}
    assert plan.textures["0_UnaryOp"].layout.parameters == {"width": 3, "order": "nhwc"}
    assert plan.passes[0].operator == "Abs"


def test_notes_say_what_tensorflow_js_knew(tmp_path: Path) -> None:
    plan = plan_of(four_programs().write(tmp_path), OpenOptions())
    notes = dict(plan.passes[0].notes)
    assert notes["tf.js program"] == "Conv2DProgram"
    assert notes["kernel"] == 'Conv2D: strides 1, pad "same", dilations [1, 1], dataFormat "NHWC"'
    assert plan.passes[0].recorded_ms == 0.25
    assert notes["uniforms"] == "NAN = nan"
    assert notes["baked in"] == "x [1, 4, 5, 2], W [3, 3, 2, 3], pads = ivec2(1, 1)"
    assert notes["cache key"] == "Conv2DProgram_key"


def test_a_minified_programs_class_is_told_by_its_own_text(tmp_path: Path) -> None:
    text = "vec4 dot2x2ARowBCol(ivec3 rc) { vec4 a = getMatrixA(batchA, i * 2, rc.y); }"
    plan = planned(tmp_path, "Xe", {"matrixA": A, "matrixB": B}, A.transpose(0, 2, 1) @ B, text=text, packed=True)
    assert (plan.passes[0].name, plan.passes[0].operator) == ("0_MatMulPacked", "MatMul")


def test_a_class_that_nobody_can_tell_goes_by_its_kernel(tmp_path: Path) -> None:
    plan = planned(tmp_path, "t", {"A": X}, X, kernel="Mystery")
    assert plan.passes[0].name == "0_Mystery"


def test_what_only_weights_are_made_of_is_constant_and_all_else_an_input(tmp_path: Path) -> None:
    page = Page()
    upload, weights = page.texture(numbers(8, 6, 4), "texels", 6), page.texture(DEPTHWISE)
    image, made = page.texture(X), page.texture(depthwise())
    page.program("EncodeMatrixProgram", HEAD, {"A": (upload, (96, 2))}, weights)
    page.program("DepthwiseConv2DProgram", HEAD, {"x": (image, X.shape), "W": (weights, DEPTHWISE.shape)}, made)
    total = page.texture(numbers(1, 1))
    page.program("SumProgram", HEAD, {"x": (made, (1, 120))}, total)
    page.program("DecodeMatrixProgram", HEAD, {"A": (total, (1, 1))}, page.texture(numbers(1, 1), "dense", 1))
    roles = {name: stored.role for name, stored in plan_of(page.write(tmp_path), OpenOptions()).textures.items()}
    assert (roles["0_EncodeMatrix.A"], roles["1_DepthwiseConv2D.x"]) == ("constant", "input")
