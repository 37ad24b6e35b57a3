"""Tests where answers about textures stand in the picture that fetches them."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.incremental_compare.in_textures import A_ROW, SIDE, any_in, placed


@pytest.mark.parametrize("size", [(1, 1), (8, 8), (9, 7), (128, 130), (2048, 3)])
def test_the_texels_of_all_answers_are_those_of_the_texture(size: tuple[int, int]) -> None:
    (rows,) = placed([size], 1000)
    for texels, apart in zip(size, rows.apart, strict=True):
        read = {min(first + step * apart, texels - 1) for first in range(apart) for step in range(SIDE)}
        assert read == set(range(texels))
    assert (rows.count - 1) * A_ROW < rows.apart[0] * rows.apart[1] <= rows.count * A_ROW


def test_textures_follow_each_other_as_far_as_there_is_room() -> None:
    sizes = [(256, 256), (1, 1), (300, 300), (8, 8)]
    rows = placed(sizes, 100)
    assert [(each.first, each.end) for each in rows] == [(0, 4), (4, 5), (5, 11), (11, 12)]
    assert len(placed(sizes, 11)) == 3
    assert placed(sizes, 3) == ()


@pytest.mark.parametrize("place", [(0, 0), (3, 255), (4, 0), (10, 17), (11, 0)])
def test_an_answer_belongs_to_the_texture_whose_row_it_is_in(place: tuple[int, int]) -> None:
    rows = placed([(256, 256), (1, 1), (300, 300), (8, 8)], 100)
    answers = np.zeros((12, A_ROW), np.uint8)
    assert any_in(answers, rows) == (False,) * 4
    answers[place] = 255
    assert any_in(answers, rows) == tuple(each.first <= place[0] < each.end for each in rows)
