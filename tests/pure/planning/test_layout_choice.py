"""Which layout a tensor gets: what was asked for, or what suits its shape; and that the plan says why."""

from __future__ import annotations

import pytest

from tests.pure.models import array, model, node, relu, value
from texelscope import pipeline
from texelscope.layouts import LayoutError
from texelscope.pipeline.device import Limits
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.planning.layout_choice import choose, names, preferred_name
from texelscope.pipeline.target import AUTO, DEFAULT_LAYOUT, OpenOptions

SMALL = Limits(max_texture_texels=16)


def layouts_of(plan: Plan) -> dict[str, str]:
    return {key: stored.layout.name for key, stored in plan.textures.items()}


def test_nobody_has_to_name_a_layout() -> None:
    assert DEFAULT_LAYOUT == AUTO == OpenOptions().layout == names()[0]
    assert layouts_of(pipeline.plan_of(relu())) == layouts_of(pipeline.plan_of(relu(), layout=AUTO))


class TestByShape:
    """What AUTO takes."""

    @pytest.mark.parametrize(
        ("shape", "expected"),
        [
            ((1, 16, 8, 8), "channel_tiles_rgba"),
            ((1, 3, 8, 8), "channel_tiles_rgba"),
            ((1, 1000, 1, 1), "channel_tiles_rgba"),
            ((), "row_major_rgba"),
            ((25088,), "row_major_rgba"),
            ((1, 25088), "row_major_rgba"),
            ((8, 77, 64), "row_major_rgba"),
            ((1, 4, 8, 8, 8), "row_major_rgba"),
        ],
    )
    def test_pictures_are_tiles_and_all_else_is_rows(self, shape: tuple[int, ...], expected: str) -> None:
        choice = choose(shape, AUTO, Limits())
        assert choice is not None
        assert (choice.layout.name, choice.is_other) == (expected, False)
        assert preferred_name(shape, AUTO) == expected

    def test_a_vector_folds_into_rows(self) -> None:
        choice = choose((25088,), AUTO, Limits())
        assert choice is not None
        assert choice.layout.texture_shape((25088,)) == (79, 80)

    def test_a_picture_that_is_too_wide_as_tiles_takes_rows(self) -> None:
        choice = choose((1, 4, 4, 20), AUTO, SMALL)
        assert choice is not None
        assert (choice.layout.name, choice.is_other) == ("row_major_rgba", False)
        assert choice.reason == "as tiles it would need 20x4 texels: its elements in rows, four a texel"

    def test_loops_too_long_for_four_lanes_take_one(self) -> None:
        choice = choose((1, 8, 4, 4), AUTO, Limits(max_loop_turns=100), turns=26)
        assert choice is not None
        assert choice.layout.lanes == 1
        assert "would turn more than 100 times" in choice.reason
        at_most = choose((1, 8, 4, 4), AUTO, Limits(max_loop_turns=100), turns=25)
        assert at_most is not None
        assert at_most.layout.lanes == 4

    def test_nothing_is_chosen_where_nothing_fits(self) -> None:
        assert choose((1, 40000), AUTO, SMALL) is None
        assert choose((1, 40000), "channel_tiles", SMALL) is None


class TestByName:
    """What a person asks for is kept to."""

    @pytest.mark.parametrize("name", names()[1:])
    @pytest.mark.parametrize("shape", [(1, 3, 8, 8), (7,), (2, 3, 4)])
    def test_a_named_layout_holds_for_every_shape(self, name: str, shape: tuple[int, ...]) -> None:
        choice = choose(shape, name, Limits(), turns=1 << 20)
        assert choice is not None
        assert (choice.layout.name, choice.reason, choice.is_other) == (name, "asked for", False)

    def test_weights_of_a_convolution_take_what_is_made_for_them(self) -> None:
        choice = choose((8, 3, 3, 3), "channel_tiles", Limits(), is_filter=True)
        assert choice is not None
        assert choice.layout.name == "filter_tiles"
        assert choice.reason == "made for weights of a convolution beside channel_tiles"

    def test_another_one_is_told_from_it(self) -> None:
        choice = choose((1, 40), "channel_tiles", SMALL)
        assert choice is not None
        assert (choice.layout.name, choice.is_other) == ("row_major_rgba", True)
        assert choice.reason == "in channel_tiles it needs 40x1 texels, more than 16 a side"

    def test_an_unknown_name_is_refused_with_the_nearest(self) -> None:
        with pytest.raises(LayoutError, match="Did you mean 'channel_tiles'"):
            choose((1,), "chanel_tiles", SMALL)


class TestInAPlan:
    """What becomes of a model that nobody names a layout for."""

    def test_a_network_is_stored_by_shape_and_each_tensor_says_why(self) -> None:
        nodes = [node("Conv", "x w b", "a", pads=[1, 1, 1, 1]), node("Flatten", "a", "f"), node("Gemm", "f m", "y")]
        weights = {"w": array(8, 3, 3, 3), "b": array(8), "m": array(8 * 64, 5)}
        plan = pipeline.plan_of(model(nodes, [value("x", [1, 3, 8, 8])], [value("y", None)], weights=weights))
        tiles = {key for key, name in layouts_of(plan).items() if name == "channel_tiles_rgba"}
        assert tiles == {"x", "w", "a"}
        assert set(layouts_of(plan).values()) == {"channel_tiles_rgba", "row_major_rgba"}
        assert all(stored.reason for stored in plan.textures.values())
        assert "compute4" in plan.passes[0].program.fragment

    def test_what_fits_in_another_layout_only_is_no_surprise_and_no_warning(self) -> None:
        wide = model([node("Relu", "x", "y")], [value("x", [1, 4, 4, 20])], [value("y", None)])
        assert pipeline.plan_of(wide, limits=SMALL).warnings == ()
        assert pipeline.plan_of(wide, layout="channel_tiles", limits=SMALL).warnings

    def test_a_sum_too_long_for_four_lanes_runs_in_one(self) -> None:
        powers = node("LpPool", "x", "y", kernel_shape=[30, 30], p=20)
        made = model([powers], [value("x", [1, 4, 40, 40])], [value("y", None)])
        (refused,) = pipeline.plan_of(made, layout="channel_tiles_rgba").not_run
        assert "at most 64000 turns of all loops for a texel" in refused.reason
        plan = pipeline.plan_of(made)
        assert not plan.not_run
        assert plan.textures["y"].layout.lanes == 1
