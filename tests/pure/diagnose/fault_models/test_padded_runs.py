"""Other padding than a layout has: where a shader looks for an element, and which element it takes a place for."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope import layouts
from texelscope.layouts.shapes import Dims
from texelscope.pipeline.diagnose.fault_models.padded_runs import PaddedRun, padded_runs

DIMS: Dims = (3, 5, 4, 6)


def runs(name: str, dims: Dims) -> dict[str, PaddedRun]:
    return {run.says: run for run in padded_runs(layouts.layout(name), dims)}


@pytest.mark.parametrize("name", sorted(layouts.all_layouts()))
@pytest.mark.parametrize("dims", [DIMS, (2, 6, 3, 5), (2, 3, 7, 7), (4, 9, 1, 2)])
def test_an_element_is_found_again_at_the_place_where_it_is_looked_for(name: str, dims: Dims) -> None:
    every = np.indices(dims)
    for run in padded_runs(layouts.layout(name), dims):
        n, c, h, w = run.to_own(dims, *every)
        inside = (n < dims[0]) & (c < dims[1])
        for got, expected in zip(run.from_own(dims, n, c, h, w), every, strict=True):
            np.testing.assert_array_equal(got[inside], expected[inside], run.says)


@pytest.mark.parametrize("name", ["channel_tiles_rgba", "ncnn_pack4"])
def test_batches_without_padding_begin_in_the_last_texel_of_the_batch_before(name: str) -> None:
    (run,) = runs(name, DIMS).values()
    assert run.length == 5
    assert [int(each) for each in run.to_own(DIMS, *map(np.asarray, (1, 0, 2, 3)))] == [0, 5, 2, 3]
    assert [int(each) for each in run.to_own(DIMS, *map(np.asarray, (1, 3, 2, 3)))] == [1, 0, 2, 3]
    assert run.remedy == "Round the 5 channels of a batch up to 8 where the index is computed."


def test_a_pack_of_eight_is_rounded_up_to_eight() -> None:
    (run,) = runs("ncnn_pack8", (2, 12, 3, 3)).values()
    assert [int(each) for each in run.to_own((2, 12, 3, 3), *map(np.asarray, (1, 2, 0, 0)))] == [0, 14, 0, 0]
    assert "up to 16" in run.remedy


def test_tiles_of_one_channel_may_be_padded_to_fours_and_to_eights_each_length_once() -> None:
    (run,) = padded_runs(layouts.layout("channel_tiles"), DIMS)
    assert run.says == "whose batches are padded to 8 channels"
    assert [int(each) for each in run.to_own(DIMS, *map(np.asarray, (1, 1, 2, 3)))] == [1, 4, 2, 3]
    assert [run.length for run in padded_runs(layouts.layout("channel_tiles"), (2, 3, 4, 4))] == [4, 8]


@pytest.mark.parametrize("name", ["linear", "row_major_rgba"])
def test_flat_elements_may_be_padded_by_rows_channels_and_batches(name: str) -> None:
    found = runs(name, (2, 3, 5, 7))
    assert {
        "whose rows are padded to 8 elements",
        "whose channels are padded to 36 elements",
        "whose batches are padded to 4 channels",
        "whose batches are padded to 108 elements",
    } <= {*found}
    n, c, h, w = found["whose rows are padded to 8 elements"].to_own((2, 3, 5, 7), *map(np.asarray, (0, 0, 2, 1)))
    assert (int(n), int(c), int(h), int(w)) == (0, 0, 2, 3)


@pytest.mark.parametrize(
    ("name", "dims"),
    [("channel_tiles_rgba", (1, 5, 4, 4)), ("channel_tiles_rgba", (3, 8, 4, 4)), ("ncnn_pack8", (2, 16, 3, 3)),
     ("channel_tiles", (1, 5, 3, 3)), ("linear", (2, 8, 8, 8))],
)  # fmt: skip
def test_nothing_is_proposed_where_all_runs_are_whole_packs_or_one(name: str, dims: Dims) -> None:
    assert not runs(name, dims)
