"""Other ways to take texels for a tensor are found by asking the layouts, and named as what one can bind."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import evidence, graph, right
from texelscope import layouts
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.hypotheses.layouts import Arrangement, arrangements, instead, lie_alike
from texelscope.pipeline.diagnose.hypotheses.registry import generators_of
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.plan import StoredTensor

SHAPE = (2, 5, 3, 4)
DIMS = as_nchw(SHAPE)


def arranged(name: str) -> Iterator[Arrangement]:
    return arrangements(StoredTensor("x", "x", SHAPE, layouts.layout(name)), DIMS)


@pytest.mark.parametrize("name", sorted(layouts.all_layouts()))
def test_every_other_layout_of_as_many_lanes_is_tried(name: str) -> None:
    lanes = layouts.layout(name).lanes
    own = layouts.layout(name)
    others = {kind() for kind in layouts.all_layouts().values() if kind.lanes == lanes} - {own}
    tried = [arrangement.layout for arrangement in arranged(name) if arrangement.layout is not None]
    for each in others:
        assert lie_alike(each, own, DIMS) or any(lie_alike(each, layout, DIMS) for layout in tried)


def test_of_layouts_that_put_a_tensor_alike_one_is_tried() -> None:
    """Rows one below the other are rows in a buffer, unless they are folded."""
    assert lie_alike(layouts.layout("linear"), layouts.layout("tfjs_unpacked"), DIMS)
    names = [arrangement.name for arrangement in arranged("channel_tiles")]
    assert "tfjs_unpacked" in names
    assert "linear" not in names
    wide = (1, 1, 2, 9000)
    assert not lie_alike(layouts.layout("linear"), layouts.layout("tfjs_unpacked"), wide)


@pytest.mark.parametrize("name", sorted(layouts.all_layouts()))
def test_what_a_texture_can_be_bound_as_is_a_layout_with_its_own_parameters(name: str) -> None:
    for each in arranged(name):
        if each.layout is not None:
            assert layouts.layout(each.name, **each.parameters) == each.layout
            assert str(each) == str(each.layout)


@pytest.mark.parametrize("name", sorted(layouts.all_layouts()))
def test_an_arrangement_finds_in_each_texel_the_element_that_it_looks_for_there(name: str) -> None:
    n, c, h, w = np.indices(DIMS)
    for each in arranged(name):
        found = each.element_at(DIMS, *each.texel_at(DIMS, n, c, h, w))
        for got, expected in zip(found, (n, c, h, w), strict=True):
            np.testing.assert_array_equal(np.broadcast_to(got, DIMS), expected, str(each))


def test_tiles_are_tried_in_grids_of_other_columns() -> None:
    channel_tiles = [each for each in arranged("tfjs_unpacked") if each.name == "channel_tiles"]
    one, two, *_ = [each for each in channel_tiles if "columns" in each.parameters]
    assert (str(one), str(two)) == ("channel_tiles with columns 1", "channel_tiles with columns 2")
    assert (two.name, two.parameters) == ("channel_tiles", {"columns": 2})
    assert two.layout == layouts.layout("channel_tiles", columns=2)
    # Tile 7 of ten, n = 1 and c = 2, at column 1 and row 3.
    assert [int(part) for part in two.texel_at(DIMS, *map(np.asarray, (1, 2, 1, 3)))] == [4 + 3, 3 * 3 + 1, 0]


def test_a_remedy_offers_only_what_a_texture_can_be_bound_as() -> None:
    case = FailingPass(evidence(graph(), right(graph()) + np.float32(1.0)))
    proposed = (found for each in generators_of(causes.WRONG_LAYOUT) for found in each.propose(case))
    remedies = {found.says: found.remedy for found in proposed if "layout" in found.parameters}
    told = {says: re.search(r"bound with, (.*)\.$", remedy) for says, remedy in remedies.items()}
    advice = {says: match[1] for says, match in told.items() if match}
    assert len(advice) == len(remedies)
    assert advice["the output matches when decoded as tfjs_unpacked, but it is bound as channel_tiles"] == (
        "or make 'y' with layout = \"tfjs_unpacked\""
    )
    assert (
        advice["the output matches when decoded as channel_tiles with columns 3, but it is bound as channel_tiles"]
        == "or make 'y' with layout = { name = \"channel_tiles\", columns = 3 }"
    )


def test_a_layout_with_parameters_is_offered_as_a_pipeline_file_has_it() -> None:
    flat = layouts.layout("row_major_rgba")
    bound = StoredTensor("w", "w", (4, 3, 3, 3), flat, role="constant")
    assert instead(bound, layouts.layout("row_major_rgba", width=5)) == (
        ', or bind it with layout = { name = "row_major_rgba", width = 5 }'
    )
    assert instead(bound, None) == ", row_major_rgba"
