"""Tests the colours of an input that are offered to paint with."""

from __future__ import annotations

import numpy as np
from PIL import Image

from examples.facades.classes import PALETTE
from tests.checkout import ROOT
from texelscope.viewer.inputs.model.painting import Planes
from texelscope.viewer.inputs.model.swatches import MOST_COLOURS, InputSwatches, frequent_colours


def columns(*colours: tuple[tuple[float, float, float], int]) -> Planes:
    """Returns a picture of columns: each colour, and how many columns have it."""
    row = [colour for colour, count in colours for _ in range(count)]
    return np.repeat(np.array(row, dtype=np.float32).T[:, None, :], 4, axis=1)


def test_the_most_frequent_colour_comes_first_with_its_name_and_share() -> None:
    found = frequent_colours(columns(((0.0, 0.2, 1.0), 1), ((0.8, 0.0, 0.0), 3)))
    assert [each.name for each in found] == ["#cc0000", "#0033ff"]
    assert [each.share for each in found] == [0.75, 0.25]
    assert found[1].colour == (0.0, 51 / 255, 1.0)


def test_colours_that_hardly_differ_are_one() -> None:
    found = frequent_colours(columns(((0.5, 0.5, 0.5), 3), ((0.51, 0.5, 0.5), 2), ((0.5, 0.5, 0.6), 1)))
    assert len(found) == 2


def test_a_photograph_has_no_more_than_can_be_shown_and_a_large_one_is_looked_at_in_parts() -> None:
    noise = np.random.default_rng(0).random((3, 1000, 1200), dtype=np.float32)
    assert len(frequent_colours(noise)) <= MOST_COLOURS
    assert [each.name for each in frequent_colours(np.full((1, 8, 8), 0.5, dtype=np.float32))] == ["#808080"]
    assert frequent_colours(np.full((3, 8, 8), np.nan, dtype=np.float32))[0].name == "#000000"


def test_every_part_of_a_house_front_has_its_colour() -> None:
    picture = np.asarray(Image.open(ROOT / "examples" / "facades" / "inputs" / "corner_shop.png").convert("RGB"))
    planes = np.moveaxis(picture, 2, 0).astype(np.float32) / np.float32(255)
    found = {each.name for each in frequent_colours(planes)}
    assert found == {"#" + bytes(each).hex() for each in np.unique(picture.reshape(-1, 3), axis=0)}
    assert found <= {"#" + bytes(each).hex() for each in PALETTE}


def test_swatches_stay_while_the_input_is_painted_on_and_change_with_another() -> None:
    swatches = InputSwatches()
    first, painted, other = (
        columns(each)[None] for each in (((0.0, 0.2, 1.0), 4), ((1.0, 0.2, 1.0), 4), ((0.0, 1.0, 0.0), 4))
    )
    names = [
        [each.name for each in swatches.of("x", values, is_painted=is_painted)]
        for values, is_painted in ((None, False), (first, False), (painted, True), (None, True), (other, False))
    ]
    assert names == [[], ["#0033ff"], ["#0033ff"], ["#0033ff"], ["#00ff00"]]
    swatches.forget()
    assert swatches.of("x", None, is_painted=True) == ()
