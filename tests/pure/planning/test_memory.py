"""Tests that a target's memory is estimated from its plan before anything is made, and limited to what is free."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from tests.pure.models import array, model, node, relu
from texelscope import pipeline
from texelscope.layouts import layout
from texelscope.layouts.rectangles import Rectangles
from texelscope.pipeline.device import Limits
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning import memory
from texelscope.pipeline.planning.memory import check_textures, needed, texture_bytes
from texelscope.pipeline.quotas import QuotaError, Quotas


def test_textures_constants_and_the_oracle_are_counted() -> None:
    plan = pipeline.plan_of(model([node("Conv", "x w", "y")], weights={"w": array(3, 3, 1, 1)}), layout="channel_tiles")
    found, elements = needed(plan), 3 * 8 * 8
    assert found.textures == sum(texture_bytes(each) for each in plan.textures.values())
    assert found.constants == 9 * 4
    # Read back, right twice as float32, both bounds as float64; and what one node needs at times.
    assert found.oracle == 2 * elements * (4 + 2 * 4 + 2 * 8) + 64 * elements
    assert found.largest == "'x' [1, 3, 8, 8]"


def test_a_plan_without_an_oracle_needs_no_memory_for_expected_values(tmp_path: Path) -> None:
    shader = tmp_path / "x.glsl"
    shader.write_text("//!HOOK MAIN\n//!BIND HOOKED\nvec4 hook() { return HOOKED_texOff(0) * random; }\n")
    plan = pipeline.plan_of(shader)
    assert needed(plan).oracle == sum(3 * 128 * 128 * 4 for _ in plan.textures)


def test_what_a_plan_needs_in_all_is_what_it_may_ask_for() -> None:
    total = needed(pipeline.plan_of(relu())).total
    assert pipeline.plan_of(relu(), quotas=Quotas(memory_bytes=total)).passes
    with pytest.raises(
        QuotaError, match=rf"^net: expected at most .* If you trust it: --limit memory_bytes={total}\.$"
    ):
        pipeline.plan_of(relu(), quotas=Quotas(memory_bytes=total - 1))


def test_what_the_machine_has_free_holds_whatever_is_allowed() -> None:
    total = needed(pipeline.plan_of(relu())).total
    allowed = Quotas(memory_bytes=1 << 60)
    assert pipeline.plan_of(relu(), quotas=allowed, limits=Limits(max_total_bytes=total)).passes
    message = (
        r"^net: expected a target of at most 0\.0 GiB, the memory that is free, got 0\.0 GiB, the largest tensor is "
    )
    with pytest.raises(pipeline.errors.TexelscopeError, match=message):
        pipeline.plan_of(relu(), quotas=allowed, limits=Limits(max_total_bytes=total - 1))


def test_a_container_has_what_its_groups_leave(tmp_path: Path) -> None:
    inner = tmp_path / "jobs" / "one"
    inner.mkdir(parents=True)
    (tmp_path / "jobs" / "memory.max").write_text("5000\n")
    (tmp_path / "jobs" / "memory.current").write_text("4000\n")
    (inner / "memory.max").write_text("max\n")
    (inner / "memory.current").write_text("10\n")
    assert memory.left_of_cgroups(tmp_path, ["/jobs/one"]) == [1000]
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "memory.limit_in_bytes").write_text("300")
    (tmp_path / "memory" / "memory.usage_in_bytes").write_text("400")
    assert sorted(memory.left_of_cgroups(tmp_path, ["/elsewhere"])) == [0]
    assert memory.left_of_cgroups(tmp_path, ["/../.."]) == [0]
    (tmp_path / "jobs" / "memory.stat").write_text("anon 3000\ninactive_file 700\n")
    assert sorted(memory.left_of_cgroups(tmp_path, ["/jobs/one"])) == [0, 1700]


def test_a_texture_has_the_bytes_of_its_texels() -> None:
    textures = pipeline.plan_of(relu()).textures
    assert texture_bytes(textures["x"]) == 16 * 16 * 4
    halves = pipeline.plan_of(relu(), precision="float16", layout="channel_tiles_rgba").textures
    assert texture_bytes(halves["x"]) == 8 * 8 * 4 * 2


def test_the_machine_tells_what_is_free() -> None:
    available = memory.available_memory()
    assert available is not None
    assert 1 << 20 < available <= psutil.virtual_memory().total


def test_where_the_system_does_not_tell_nobody_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    assert memory.available_memory() is None


def test_an_atlas_counts_once_for_all_its_tensors() -> None:
    def at(x: int) -> StoredTensor:
        inner = Rectangles("page", (1 << 13, 1 << 13), ((x, 0, 8, 8),), layout("channel_tiles_rgba"))
        return StoredTensor(f"t{x}", f"t{x}", (1, 4, 8, 8), inner)

    check_textures("many", [at(8 * number) for number in range(100)])
