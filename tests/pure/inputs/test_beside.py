"""The picture beside a model, which it opens on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from texelscope.layouts import layout
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.inputs.beside import picture_beside, pictures_beside
from texelscope.pipeline.inputs.sources import source_words
from texelscope.pipeline.plan import Plan, StoredTensor

PICTURE = (1, 3, 16, 24)


def plan(*shapes: Shape, own: tuple[str, ...] = ()) -> Plan:
    names = [f"x{i}" for i in range(len(shapes))]
    textures = {
        name: StoredTensor(name, name, shape, layout("linear")) for name, shape in zip(names, shapes, strict=True)
    }
    return Plan("p", textures, (), tuple(names), (), initial_inputs={name: np.zeros(1) for name in own})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inputs").mkdir()
    for name, size in (("inputs/10.png", (24, 16)), ("inputs/9.png", (40, 40)), ("beside.png", (24, 16))):
        Image.new("RGB", size).save(tmp_path / name)
    (tmp_path / "inputs" / "1.png").write_bytes(b"no picture")
    return tmp_path


def test_inputs_come_first_then_the_size_then_the_name(folder: Path) -> None:
    assert [each.name for each in pictures_beside(folder / "m.onnx")] == ["1.png", "9.png", "10.png"]
    assert picture_beside(folder / "m.onnx", plan(PICTURE)) == {"x0": str(folder / "inputs" / "10.png")}
    (folder / "inputs" / "10.png").unlink()
    assert picture_beside(folder / "m.onnx", plan(PICTURE)) == {"x0": f"fit:{folder / 'inputs' / '9.png'}"}
    (folder / "inputs" / "9.png").write_bytes(Image.new("RGB", (40, 40)).tobytes()[:99])
    assert picture_beside(folder / "m.onnx", plan(PICTURE)) == {}
    for each in (folder / "inputs").iterdir():
        each.unlink()
    assert picture_beside(folder / "m.onnx", plan(PICTURE)) == {"x0": str(folder / "beside.png")}


def test_only_an_input_that_is_like_a_picture_and_has_no_values_gets_one(folder: Path) -> None:
    path = folder / "m.onnx"
    assert list(picture_beside(path, plan((1, 5, 16, 24), (1, 16), PICTURE))) == ["x2"]
    assert picture_beside(path, plan(PICTURE, own=("x0",))) == {}
    assert picture_beside(folder / "none" / "m.onnx", plan(PICTURE)) == {}


def test_a_source_says_how_it_was_prepared() -> None:
    assert source_words("", PICTURE) == "as in the file"
    assert source_words("random:7", PICTURE) == "random:7"
    assert source_words("a.png", (1, 1, 16, 24)) == "a.png: not scaled, grey from 0 to 1"
    scaled = "a.png: scaled to cover 24×16, the rest cut off evenly, RGB from 0 to 1"
    assert source_words("fit:a.png", PICTURE) == scaled
