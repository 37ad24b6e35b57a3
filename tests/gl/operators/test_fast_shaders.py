"""The faster shaders beside plain ones: taken where they cover the node, and there to the same numbers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import Array, NodeCase, floats, ints, normal, opened
from texelscope import layouts
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.glsl import assemble
from texelscope.pipeline.operators.base import Kernel
from texelscope.pipeline.plan import StoredTensor

TILES, ROWS, PACKED = "channel_tiles_rgba", "row_major_rgba", "tfjs_packed"
PICTURE, ODD = (2, 8, 5, 6), (1, 7, 3, 5)
TRUTH = normal(*ODD) > 0.0
LOW, HIGH = np.array(-0.5, np.float32), np.array(0.5, np.float32)


def pool(op_type: str, shape: tuple[int, ...], **attributes: Any) -> NodeCase:
    return NodeCase(op_type, (normal(*shape),), {"kernel_shape": [3, 2], "strides": [2, 1], **attributes})


def resized(mode: str, *scales: float) -> NodeCase:
    empty = np.zeros(0, np.float32)
    return NodeCase(
        "Resize", (normal(2, 7, 3, 5), empty, floats(*scales)),
        {"mode": mode, "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, (1, 2),
    )  # fmt: skip


def normalised(*shape: int) -> NodeCase:
    parameters = [np.abs(normal(shape[1], seed=seed)) + 0.5 for seed in range(1, 5)]
    return NodeCase("BatchNormalization", (normal(*shape), *parameters), {}, (1, 2, 3, 4))


def joined(axis: int, *shapes: tuple[int, ...]) -> NodeCase:
    return NodeCase("Concat", tuple(normal(*shape, seed=i) for i, shape in enumerate(shapes)), {"axis": axis})


# Node, layout, and the file that computes it there.
FAST: list[tuple[NodeCase, str, str]] = [
    *((NodeCase("Sigmoid", (normal(*ODD),)), layout, "unary.texel") for layout in (TILES, ROWS, PACKED)),
    (NodeCase("Relu", (normal(2, 3, 4, 5, 6),)), ROWS, "unary.texel"),
    (NodeCase("Cast", (normal(*ODD),), {"to": 6}), TILES, "unary.texel"),
    *((NodeCase("Sub", (normal(*ODD), normal(*ODD, seed=1))), layout, "binary.texel") for layout in (TILES, ROWS)),
    (NodeCase("Sub", (normal(2, 3, 4, 5, 6), normal(2, 3, 4, 5, 6, seed=1))), ROWS, "binary.texel"),
    (NodeCase("Mul", (normal(*ODD), normal(7, 1, 1, seed=1)), {}, (1,)), TILES, "binary.texel"),
    (NodeCase("Mul", (normal(*ODD), normal(1, 7, 1, 1, seed=1)), {}, (1,)), "auto", "binary.texel"),
    (NodeCase("Mul", (normal(7, 1, 1), normal(*ODD, seed=1)), {}, (0,)), "auto", "binary.texel"),
    (NodeCase("Div", (normal(*ODD), floats(3.0))), "auto", "binary.texel"),
    (NodeCase("Div", (normal(*ODD), normal(3, 5, seed=1)), {}, (1,)), "auto", "binary.texel"),
    (NodeCase("Add", (normal(2, 3, 8), normal(8, seed=1)), {}, (1,)), ROWS, "binary.texel"),
    (NodeCase("Add", (normal(2, 3, 7), normal(7, seed=1)), {}, (1,)), ROWS, "binary.texel"),
    (NodeCase("Add", (normal(2, 3, 8), normal(2, 3, 1, seed=1))), ROWS, "binary.texel"),
    (NodeCase("Add", (normal(2, 3, 3), normal(2, 3, 1, seed=1))), PACKED, "binary.texel"),
    (NodeCase("Clip", (normal(*ODD), LOW, HIGH)), TILES, "clip.texel"),
    (NodeCase("Clip", (normal(*ODD), LOW), {}, (1,)), ROWS, "clip.texel"),
    (NodeCase("Sum", tuple(normal(*ODD, seed=i) for i in range(3))), TILES, "variadic.texel"),
    (NodeCase("Mean", tuple(normal(4, 9, seed=i) for i in range(3))), ROWS, "variadic.texel"),
    (NodeCase("Where", (TRUTH, normal(*ODD), normal(*ODD, seed=1))), TILES, "where.texel"),
    (NodeCase("Where", (TRUTH, normal(*ODD), HIGH)), ROWS, "where.texel"),
    (normalised(*PICTURE), TILES, "batch_normalization.channel_tiles_rgba"),
    (normalised(*ODD), "auto", "batch_normalization.channel_tiles_rgba"),
    (joined(1, (2, 8, 3, 2), (2, 4, 3, 2), (2, 3, 3, 2)), TILES, "concat.channel_tiles_rgba"),
    (joined(3, (2, 3, 3, 2), (2, 3, 3, 5)), TILES, "concat.channel_tiles_rgba"),
    (joined(0, (2, 5, 3, 2), (1, 5, 3, 2)), TILES, "concat.channel_tiles_rgba"),
    (joined(1, (2, 3, 8), (2, 5, 8)), ROWS, "concat.row_major_rgba"),
    (joined(1, (3, 8), (3, 4)), ROWS, "concat.row_major_rgba"),
    (joined(1, (2, 2, 6), (2, 4, 6)), ROWS, "concat.row_major_rgba"),
    (NodeCase("Softmax", (normal(3, 12),)), ROWS, "softmax_axis.row_major_rgba"),
    (NodeCase("LogSoftmax", (normal(2, 3, 8),)), ROWS, "softmax_axis.row_major_rgba"),
    *((NodeCase("Softmax", (normal(2, 7, 3, 5),), {"axis": axis}), TILES, "softmax_axis.channel_tiles_rgba")
      for axis in range(4)),
    (NodeCase("LogSoftmax", (normal(2, 5, 1, 1) - 9.0,), {"axis": 1}), "auto", "softmax_axis.channel_tiles_rgba"),
    (pool("MaxPool", PICTURE), TILES, "pool/max.channel_tiles_rgba"),
    (pool("MaxPool", ODD, pads=[1, 1, 1, 0]), TILES, "pool/max.channel_tiles_rgba"),
    (pool("AveragePool", ODD, pads=[1, 1, 1, 0], ceil_mode=1), TILES, "pool/average.channel_tiles_rgba"),
    (pool("AveragePool", ODD, pads=[1, 1, 1, 0], count_include_pad=1), TILES, "pool/average.channel_tiles_rgba"),
    (NodeCase("GlobalAveragePool", (normal(*ODD),)), "auto", "pool/average.channel_tiles_rgba"),
]  # fmt: skip

FAST += [
    (NodeCase("LRN", (normal(2, 11, 3, 2),), {"size": size, "alpha": 0.5}), TILES, f"lrn.{TILES}") for size in (2, 3, 7)
]
SIZES = {"nearest": "resize_nearest", "linear": "resize", "cubic": "resize"}
FAST += [
    (resized(mode, 1.0, 1.0, 2.0, 3.0), layout, f"{file}.{TILES}")
    for (mode, file), layout in itertools.product(SIZES.items(), (TILES, "auto"))
]
FAST += [
    (NodeCase(f"Reduce{kind}", (normal(3, 5, 8), ints(-1)), {}, (1,)), ROWS, f"reduce/reduce{kind.lower()}.{ROWS}")
    for kind in ("Max", "Mean", "Sum")
]
FAST += [
    (
        NodeCase(f"Reduce{kind}", (normal(2, 7, 3, 5), ints(*axes)), {}, (1,)),
        TILES,
        f"reduce/reduce{kind.lower()}.{TILES}",
    )
    for kind, axes in (("Max", (2, 3)), ("Mean", (-1,)), ("Sum", (0, 2)))
]
FAST.append((NodeCase("ReduceL1", (normal(2, 4608),), {"axes": [1]}, opset=13), ROWS, f"block_sum.{ROWS}"))

# Node and layout where what is fast would be wrong, or is not there.
PLAIN: list[tuple[NodeCase, str]] = [
    (joined(1, (1, 3, 4, 4), (1, 5, 4, 4)), TILES),
    (joined(1, (2, 3, 3), (2, 5, 3)), ROWS),
    (joined(1, (2, 3, 2, 2, 3), (2, 1, 2, 2, 3)), TILES),
    (NodeCase("Softmax", (normal(3, 7),)), ROWS),
    (NodeCase("Softmax", (normal(2, 8, 3),), {"axis": 1}), ROWS),
    (NodeCase("Softmax", (normal(2, 4, 3, 3),), {"axis": 1}, opset=11), TILES),
    *((NodeCase("Softmax", (normal(2, 2, 3, 2, 3),), {"axis": axis}), TILES) for axis in (0, 1)),
    (NodeCase("MaxPool", (normal(1, 4, 3, 4, 4),), {"kernel_shape": [2, 2, 2]}), TILES),
    (NodeCase("Add", (normal(2, 1, 3, 1, 4), normal(2, 1, 2, 1))), ROWS),
    (NodeCase("Mul", (normal(4, 1, 3), normal(1, 5, 1))), ROWS),
    (NodeCase("Relu", (normal(*ODD),)), "channel_tiles"),
    (NodeCase("LRN", (normal(2, 8, 6),), {"size": 3}), ROWS),
    (resized("nearest", 1.0, 2.0, 1.0, 2.0), TILES),
    (resized("linear", 1.0, 2.0, 1.0, 2.0), TILES),
    (NodeCase("ReduceMean", (normal(3, 5, 7), ints(-1)), {}, (1,)), ROWS),
    (NodeCase("ReduceMean", (normal(3, 8, 5), ints(1)), {}, (1,)), ROWS),
    (NodeCase("ReduceMean", (normal(2, 7, 3, 5), ints(1)), {}, (1,)), TILES),
    (NodeCase("ReduceMax", (np.arange(24, dtype=np.int32).reshape(3, 8), ints(1)), {}, (1,)), ROWS),
]


def files_of(session: DebugSession) -> set[str]:
    own = (file.path for each in session.plan.passes for file in each.program.files)
    return {path.removeprefix("shaders/operators/") for path in own if path.startswith("shaders/operators/")}


def results(case: NodeCase, layout: str, gl: moderngl.Context) -> tuple[Array, set[str]]:
    """The texels of the output, padding too, and the shader's files; every pass matches."""
    with opened(case, layout, gl) as session:
        session.run()
        report = session.compare(findings=False)
        assert report.verdict == "match", report
        return session.texels(session.plan.passes[-1].output), files_of(session)


@pytest.mark.parametrize(("case", "layout", "file"), FAST, ids=str)
def test_a_fast_shader_does_what_the_plain_one_does(
    case: NodeCase, layout: str, file: str, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    texels, files = results(case, layout, gl)
    assert f"{file}.glsl" in files

    def plain(kernel: Kernel, stored: Mapping[str, StoredTensor], output: StoredTensor) -> Sequence[str]:
        return tuple(f"operators/{name}" for name in kernel.shaders)

    monkeypatch.setattr(assemble, "shader_files", plain)
    expected, files = results(case, layout, gl)
    assert f"{file}.glsl" not in files
    np.testing.assert_allclose(texels, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("case", "layout"), PLAIN, ids=str)
def test_what_it_does_not_cover_stays_with_the_plain_one(case: NodeCase, layout: str, gl: moderngl.Context) -> None:
    _, files = results(case, layout, gl)
    assert not any(file.removesuffix(".glsl").partition(".")[2] for file in files)


def test_padding_stays_zero_where_a_function_of_zero_is_not(gl: moderngl.Context) -> None:
    for layout in (TILES, ROWS, PACKED):
        texels, _ = results(NodeCase("Exp", (normal(*ODD),)), layout, gl)
        padding = layouts.layout(layout).address(ODD) < 0
        assert padding.any()
        assert not texels[padding].any()
