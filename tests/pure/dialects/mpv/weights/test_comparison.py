"""A shader's weights beside a model's: the first number that differs, with its line, and where structures part."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from tests.pure.dialects.mpv.network.written import (
    Array,
    block,
    convolution_text,
    shared_memory_text,
    weights,
)
from texelscope.pipeline.dialects.mpv.network.network import Network, network_of
from texelscope.pipeline.dialects.mpv.network.surroundings import WorkGroup
from texelscope.pipeline.dialects.mpv.weights.comparison import compared
from texelscope.pipeline.errors import TexelscopeError

GO = "#define go_0(x, y) a_texOff(vec2(x, y))\n"
FIRST, SECOND = weights(1, 8, 4), weights(2, 4, 8)
BIASES = weights(3, 1, 12, 1).ravel()


def two_layers(first: Array = FIRST, second: Array = SECOND) -> Network:
    """A layer of eight filters, four a block, and one of four that reads them all, on lines from 10 to 50 and on."""
    blocks = []
    for i, name in enumerate(("left", "right")):
        text = GO + convolution_text(first[4 * i : 4 * i + 4], BIASES[4 * i : 4 * i + 4], ["go_0"])
        blocks.append(block(text, {"a": 4}, tensor=name, first_line=10 + 20 * i))
    taps = "#define go_0(x, y) left_texOff(vec2(x, y))\n#define go_1(x, y) right_texOff(vec2(x, y))\n"
    text = taps + convolution_text(second, BIASES[8:], ["go_0", "go_1"])
    blocks.append(block(text, {"left": 4, "right": 4}, first_line=50))
    return network_of("own", blocks, {"a": (1, 4, 6, 8)})


def model(path: Path, layers: Sequence[tuple[Array, Array]]) -> Path:
    """An ONNX model of convolutions, as a trainer would export it."""
    nodes, constants, tensor = [], [], "x"
    for i, (weight, bias) in enumerate(layers):
        nodes.append(helper.make_node("Conv", [tensor, f"w{i}", f"b{i}"], [f"y{i}"], name=f"conv{i}"))
        constants += [numpy_helper.from_array(weight, f"w{i}"), numpy_helper.from_array(bias, f"b{i}")]
        tensor = f"y{i}"
    info = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 4, 8, 8])
    graph = helper.make_graph(nodes, "trained", [info], [onnx.ValueInfoProto(name=tensor)], constants)
    onnx.save(helper.make_model(graph), path)
    return path


def trained(path: Path, first: Array = FIRST, second: Array = SECOND) -> Path:
    """The model that `two_layers` was written from."""
    return model(path, [(first, BIASES[:8]), (second, BIASES[8:])])


def test_blocks_that_are_parts_of_one_layer_are_that_layer(tmp_path: Path) -> None:
    made = compared(two_layers(), trained(tmp_path / "x.onnx"))
    assert made.is_same
    assert made.text() == f"All {8 * 4 * 9 + 4 * 8 * 9 + 12} weights of 3 layers are those of x.onnx."


def test_the_first_number_that_differs_is_named_with_its_line(tmp_path: Path) -> None:
    second = SECOND.copy()
    second[2, 5, 0, 1] += 0.25  # channel 5 is the second half, row above, middle column: 9 taps + 3 on, line 64
    made = compared(two_layers(second=second), trained(tmp_path / "x.onnx"))
    assert made.difference is not None
    assert (made.difference.layer, made.difference.element, made.difference.line) == ("out", "weight[2, 5, 0, 1]", 65)
    assert "('conv1')" in made.text()
    assert "1 of the layer's 292 numbers differ, and none of the layers after it." in made.text()


def test_a_model_that_was_extracted_is_compared_by_name(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(two_layers().model.SerializeToString())
    first = FIRST.copy()
    first[6, 3] *= 2
    made = compared(two_layers(first), tmp_path / "x.onnx")
    assert made.difference is not None
    assert (made.difference.layer, made.difference.element, made.difference.count) == ("right", "weight[2, 3, 0, 0]", 9)
    assert (made.difference.line, made.further) == (32, 0)


@pytest.mark.parametrize(
    ("layers", "text"),
    [
        ([(FIRST, BIASES[:8])], "own.glsl goes on with 'out', x.onnx ends before."),
        ([(FIRST, BIASES[:8]), (SECOND, BIASES[8:]), (SECOND, BIASES[8:])], "x.onnx goes on with 'conv2', own"),
        ([(FIRST[:, :3], BIASES[:8])],
         "own.glsl goes on with 'left' (4 filters of 4x3x3) and 'right' (4 filters of 4x3x3), x"),
        ([(FIRST[:6], BIASES[:6])], "x.onnx with 'conv0' (6 filters of 4x3x3)."),
        ([(FIRST, np.zeros(0, np.float32))],
         "own.glsl, 'left': has a bias of shape [4] instead of [0], that of 'conv0'"),
    ],
)  # fmt: skip
def test_other_structures_are_said(tmp_path: Path, layers: Sequence[tuple[Array, Array]], text: str) -> None:
    made = compared(two_layers(), model(tmp_path / "x.onnx", layers))
    assert not made.is_same
    assert text in made.text()


def test_pixels_in_the_texels_of_one_are_taken_apart(tmp_path: Path) -> None:
    weight = weights(3, 4, 4)
    blocks = [block(shared_memory_text(weight), {"a": 4}, group=WorkGroup((2, 2), (4, 4)))]
    network = network_of("own", blocks, {"a": (1, 4, 8, 8)})
    # Filters and channels texel by texel, lane by lane; each texel's weight goes for every lane alone.
    whole = np.einsum("qsyx,lm->qlsmyx", weight, np.eye(4, dtype=np.float32)).reshape(16, 16, 3, 3)
    assert compared(network, model(tmp_path / "x.onnx", [(whole, np.zeros(16, np.float32))])).is_same


def test_models_that_cannot_be_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TexelscopeError, match="expected a model with convolutions, got one without"):
        compared(two_layers(), _without_convolutions(tmp_path / "x.onnx"))
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(TexelscopeError, match=r"the library h5py, which reads Keras files, got none. Install it: pip"):
        compared(two_layers(), tmp_path / "x.h5")


def _without_convolutions(path: Path) -> Path:
    info = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "x", [info], [onnx.ValueInfoProto(name="y")])
    onnx.save(helper.make_model(graph), path)
    return path


def test_weights_that_keras_saved(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py", reason="h5py, which reads Keras files, is not installed")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        group = file.create_group("model_weights")
        group.attrs["layer_names"] = [b"input", b"conv_a", b"conv_b"]
        group.create_group("input")
        for name, weight, bias in (("conv_a", FIRST, BIASES[:8]), ("conv_b", SECOND, BIASES[8:])):
            group.create_dataset(f"{name}/{name}/kernel:0", data=weight.transpose(2, 3, 1, 0))
            group.create_dataset(f"{name}/{name}/bias:0", data=bias)
    assert compared(two_layers(), tmp_path / "x.h5").is_same
    (tmp_path / "y.h5").write_bytes(b"nothing")
    with pytest.raises(TexelscopeError, match="expected weights as Keras saves them in HDF5"):
        compared(two_layers(), tmp_path / "y.h5")
