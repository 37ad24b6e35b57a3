"""Tests where a fused run keeps its tensors, and that it holds little more than those alive at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import onnx
import pytest

from benchmarks.unet import build
from texelscope import pipeline
from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.lowerings.fusion.buffer_reuse import MostHeld, Sharing, sharing, steps_of_items
from texelscope.pipeline.lowerings.fusion.fusing import schedule
from texelscope.pipeline.lowerings.fusion.room import BufferSpans, MemoryGap, Room, gaps_to_free, most_held
from texelscope.pipeline.lowerings.lowering import Lowering, Scratch
from texelscope.pipeline.lowerings.solo import solo_forms, with_workspace
from texelscope.pipeline.plan import Plan

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
LLVMPIPE = Limits(version=450, is_software=True)
DISPATCHES = Limits(version=450, work_groups=WorkGroups(block_bytes=1 << 27))


def found_for(plan: Plan, limits: Limits = LLVMPIPE) -> Sharing:
    limits = with_workspace(limits, plan)
    return sharing(plan, schedule(plan, limits), solo=solo_forms(plan, limits))


def held_of(plan: Plan) -> MostHeld:
    return found_for(plan).held


def use(name: str, size: int, *spans: tuple[int, int]) -> BufferSpans:
    return BufferSpans(Scratch(name, 1, 1), size, spans)


def by_name(freed: Iterable[tuple[Room, MemoryGap]]) -> dict[str, MemoryGap]:
    return {room.name: gap for room, gap in freed if isinstance(room, Scratch)}


class TestGapsToFree:
    """Tests runs of four steps, made by hand."""

    def test_nothing_is_freed_where_there_is_room(self) -> None:
        uses = [use("a", 10, (0, 1)), use("b", 10, (2, 3))]
        assert gaps_to_free(uses, 4, 20) == ()
        assert most_held(uses, 4, ()) == 20

    def test_what_is_not_in_use_makes_room_for_what_is(self) -> None:
        uses = [use("large", 100, (1, 1)), use("small", 30, (0, 0), (3, 3))]
        freed = gaps_to_free(uses, 4, 110)
        assert by_name(freed) == {"large": MemoryGap(2, 4), "small": MemoryGap(1, 2)}
        assert most_held(uses, 4, freed) == 100

    def test_as_little_is_freed_as_is_enough(self) -> None:
        uses = [use("whole", 100, (0, 4)), use("large", 30, (1, 1)), use("small", 20, (1, 1), (3, 3))]
        uses.append(use("last", 15, (3, 3)))  # that one and the large one in each other's place are enough
        freed = gaps_to_free(uses, 4, 150)
        assert by_name(freed) == {"last": MemoryGap(4, 4), "large": MemoryGap(2, 4)}
        assert most_held(uses, 4, freed) == 150

    def test_a_gap_goes_over_the_end_of_a_run_to_the_beginning_of_the_next(self) -> None:
        uses = [use("late", 50, (3, 3)), use("early", 60, (1, 1))]
        freed = gaps_to_free(uses, 4, 60)
        assert by_name(freed)["late"] == MemoryGap(4, 4)
        assert most_held(uses, 4, freed) == 60

    def test_what_is_in_use_at_once_stays_however_little_there_may_be(self) -> None:
        uses = [use("a", 10, (0, 2)), use("b", 10, (1, 3)), use("c", 10, (3, 3))]
        freed = gaps_to_free(uses, 4, 1)
        assert most_held(uses, 4, freed) == 20


class TestSharing:
    """Tests whole networks, planned as for llvmpipe and not run."""

    @pytest.mark.parametrize("name", ["squeezenet", "inception_v1"])
    def test_a_network_holds_at_most_three_tenths_more_than_what_is_alive(self, name: str) -> None:
        held = held_of(pipeline.plan_of(LIGHT / f"light_{name}.onnx"))
        assert 1.0 <= held.ratio <= 1.3

    def test_the_u_net_holds_at_most_three_tenths_more_than_what_is_alive(self) -> None:
        held = held_of(pipeline.plan_of(build(ngf=16)))
        assert 1.0 <= held.ratio <= 1.3

    @pytest.mark.parametrize("name", ["unet", "squeezenet"])
    def test_so_does_a_network_whose_sums_are_dealt_to_work_groups(self, name: str) -> None:
        plan = pipeline.plan_of(build(ngf=16) if name == "unet" else LIGHT / f"light_{name}.onnx", backend="compute")
        found, alone = found_for(plan, DISPATCHES), schedule(plan, DISPATCHES)
        assert 1.0 <= found.held.ratio <= 1.3
        (least,) = found.buffers.values()
        largest = max(size for form in alone if isinstance(form, Lowering) for _, size in form.buffers)
        assert (1 << 20) < least < largest / 2  # as many work groups as that allows, not one, nor as many as wanted

    def test_no_two_tensors_that_are_alive_at_once_share_a_texture_and_what_is_alive_is_not_freed(self) -> None:
        plan = pipeline.plan_of(LIGHT / "light_squeezenet.onnx")
        items = schedule(plan, LLVMPIPE)
        found, steps = sharing(plan, items, solo=solo_forms(plan, LLVMPIPE)), steps_of_items(plan, items)
        inside: dict[object, str] = {}  # by texture, the tensor in it
        for step, freed in zip(steps, found.freed, strict=False):
            for room in freed:
                inside.pop(room, None)
            for key in step.reads:
                assert key not in found.textures or inside[found.textures[key]] == key
            inside |= {found.textures[key]: key for key in step.writes if key in found.textures}
        assert any(found.freed)
        for key in plan.outputs:
            assert key not in found.textures or inside[found.textures[key]] == key

    def test_what_a_persons_own_shader_reads_and_writes_has_textures_of_its_own(self) -> None:
        plan = pipeline.plan_of(LIGHT / "light_squeezenet.onnx")
        own = plan.passes[4]
        items = schedule(plan, LLVMPIPE, plain=[own.name])
        found = sharing(plan, items, plain=[own.name])
        assert own.output not in found.textures
        assert not {sampler.key for sampler in own.samplers} & found.textures.keys()
        assert found.textures
