"""Examples are found in folders, and each comes once a round in a shuffled order that is always the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.training.examples import Batches, Example, examples_in

PICTURE = TensorInfo("image", (2, 1, 4, 4))


def pair(folder: Path, name: str, grey: int) -> None:
    Image.new("L", (4, 4), grey).save(folder / f"{name}.png")
    Image.new("L", (8, 8), 255 - grey).save(folder / f"{name}.target.png")


def test_pairs_fill_a_batch_and_come_once_a_round(tmp_path: Path) -> None:
    for grey in (0, 51, 102, 153):
        pair(tmp_path, str(grey), grey)
    batches = Batches(examples_in(tmp_path), PICTURE, TensorInfo("target", PICTURE.shape))
    seen = []
    for step in (0, 1):
        given, target = batches.at(step)
        assert given.shape == target.shape == PICTURE.shape
        assert np.allclose(given + target, 1.0), "an input has another one's target"
        seen += [round(float(value) * 255) for value in given[:, 0, 0, 0]]
    assert sorted(seen) == [0, 51, 102, 153]
    assert np.array_equal(batches.at(1)[0], batches.at(1)[0])


def test_a_folder_is_a_class(tmp_path: Path) -> None:
    for number, name in enumerate(("cat", "dog")):
        (tmp_path / name).mkdir()
        Image.new("L", (4, 4), 255 * number).save(tmp_path / name / "one.png")
    batches = Batches(examples_in(tmp_path), PICTURE, TensorInfo("target", (2,), "int64"))
    given, target = batches.at(0)
    assert target.tolist() == given[:, 0, 0, 0].tolist()
    with pytest.raises(TexelscopeError, match=r"target 'target': expected values of shape \[2\], got the number of a"):
        Batches(examples_in(tmp_path), PICTURE, TensorInfo("target", (2,))).at(0)


def test_an_array_of_a_whole_batch_is_one_example(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones((3, 2), np.float32))
    batches = Batches(
        [Example("a", str(tmp_path / "a.npy"), "zeros")], TensorInfo("x", (3, 2)), TensorInfo("target", (3, 2))
    )
    assert batches.size == 1
    assert batches.at(5)[0].shape == (3, 2)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ((), "expected pairs, or a folder for each class, got neither"),
        (("a.png", "a.target.png", "b.png"), r"expected a target for 'b.png', got none. Add b.target.png"),
    ],
)
def test_a_folder_without_examples_says_what_is_missing(tmp_path: Path, files: tuple[str, ...], told: str) -> None:
    for name in files:
        Image.new("L", (4, 4)).save(tmp_path / name)
    with pytest.raises(TexelscopeError, match=told):
        examples_in(tmp_path)


def test_a_folder_that_is_not_there_is_a_line(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match="expected a folder of examples, got No such file"):
        examples_in(tmp_path / "none")
