"""Large weights are read apart from their model's message, with the same result as if it were parsed whole."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.pure.models import model, node, value
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file import apart
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.message import read, read_apart

SIDE = 160


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has a weight of 16 bytes count as large."""
    monkeypatch.setattr(apart, "LARGE_BYTES", 16)


def saved(folder: Path, *tensors: onnx.TensorProto) -> Path:
    """Saves a model with these constants, each of which is an output too."""
    nodes = [node("Identity", each.name, f"y_{each.name}", f"same {each.name}") for each in tensors]
    made = model(nodes, [], [value(f"y_{each.name}", None) for each in tensors])
    made.graph.initializer.extend(tensors)
    onnx.save(made, folder / "m.onnx")
    return folder / "m.onnx"


def ramp(name: str, dtype: Any = np.float32, side: int = SIDE) -> onnx.TensorProto:
    """Returns a constant [side, side] of 0 to 99, again and again."""
    return numpy_helper.from_array((np.arange(side * side) % 100).reshape(side, side).astype(dtype), name)


@pytest.mark.parametrize(
    "dtype", [np.float32, np.float64, np.float16, np.int8, np.int64, np.uint8, np.uint64, ml_dtypes.bfloat16]
)
def test_weights_of_every_type_are_those_of_the_whole_message(tmp_path: Path, dtype: Any) -> None:
    small_one, large = ramp("s", np.float32, 2), ramp("w", dtype, 300)
    path = saved(tmp_path, large, small_one)
    message, _, weights = read_apart(path)
    assert [*weights] == [0]
    assert not weights[0].flags.writeable
    assert message.ByteSize() < 1000
    found = outcome(lambda: load(path))
    assert found == outcome(lambda: graph_of(*read(path), {}))
    assert isinstance(found, dict)
    assert {shape for _, shape, _ in found.values()} == {(300, 300), (2, 2)}


def without_last(tensor: onnx.TensorProto) -> None:
    tensor.raw_data = tensor.raw_data[:-2]


def of_strings(tensor: onnx.TensorProto) -> None:
    tensor.data_type = TensorProto.STRING


def in_a_segment(tensor: onnx.TensorProto) -> None:
    tensor.segment.begin = 1


def with_a_size_too_large(tensor: onnx.TensorProto) -> None:
    tensor.dims[0] = 1 << 40


@pytest.mark.parametrize("spoil", [without_last, of_strings, in_a_segment, with_a_size_too_large])
def test_weights_that_do_not_fill_their_shape_are_refused_in_the_same_words(
    tmp_path: Path, spoil: Callable[[onnx.TensorProto], None]
) -> None:
    tensor = ramp("w")
    spoil(tensor)
    path = saved(tmp_path, tensor)
    assert [*read_apart(path)[2]] == [0]
    assert outcome(lambda: load(path)) == outcome(lambda: graph_of(*read(path), {}))


def test_a_model_with_functions_is_parsed_whole(tmp_path: Path) -> None:
    path = saved(tmp_path, ramp("w"))
    made = onnx.load(path)
    made.functions.append(helper.make_function("own", "F", ["a"], ["b"], [node("Relu", "a", "b")], made.opset_import))
    onnx.save(made, path)
    assert read_apart(path)[2] == {}


@pytest.mark.usefixtures("small")
def test_a_damaged_file_ends_as_it_does_where_it_is_parsed_whole(tmp_path: Path) -> None:
    whole = saved(tmp_path, ramp("w", side=3), ramp("b", side=2)).read_bytes()
    draw, taken_apart = random.Random(5), 0
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        path = tmp_path / "damaged.onnx"
        path.write_bytes(damaged[: draw.choice((len(damaged), draw.randrange(len(damaged))))])
        with path.open("rb") as file:
            taken_apart += apart.parted(file, path.stat().st_size) is not None
        assert outcome(lambda: load(path)) == outcome(lambda: graph_of(*read(path), {}))  # noqa: B023 - called at once
    assert taken_apart > 50


def outcome(read_it: Callable[[], Any]) -> object:
    """Returns the bytes of the constants that were read, or the error's text."""
    try:
        return {name: (str(each.dtype), each.shape, each.tobytes()) for name, each in read_it().constants.items()}
    except TexelscopeError as error:
        return str(error)
