"""A recording comes from somebody else: whatever is wrong with it is one line, and no size in it is believed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.pure.dialects.refused_recordings import Change, first, refused
from tests.webgl_recordings import two_draws
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.target import OpenOptions


def sampler(**values: Any) -> Change:
    """Sets fields of the first draw's sampler."""
    return lambda about: about["draws"][0]["samplers"][0].update(values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda about: about.update(version=2), 'draws.json: expected "format": "texelscope-webgl" of version 1, got '
         "'texelscope-webgl' of version 2. Record it again."),
        (lambda about: about.update(draws=[], notes=["Nothing was drawn while it recorded."]), "draws.json: expected 1 "
         "to 10000 draws, got 0; Nothing was drawn while it recorded."),
        (lambda about: about.update(draws=[about["draws"][0]] * 10_001), "expected 1 to 10000 draws, got 10001."),
        (lambda about: about.update(notes=[3]), "draws.json: expected texts as 'notes', got 3."),
        (lambda about: about.update(contexts=[]), "draws.json: expected a context that drew, got none."),
        (lambda about: about["textures"].insert(0, 3), "draws.json textures[0]: expected an object, got 3."),
        (first("textures", width=0), "textures[0]: expected a whole number from 1 to 65536 as 'width', got 0."),
        (first("textures", lanes=3), "textures[0]: expected 'lanes' of 1 or 4 for 4 channels, got 3."),
        (first("textures", lanes=1), "textures[0]: expected 'lanes' of 1 or 4 for 4 channels, got 1."),
        (first("textures", type="float64"), "expected a type that is known, got 'float64'. Did you mean 'float16'?"),
        (first("textures", height=5), "'textures/0.bin': expected 480 bytes of 6x5 texels, got 384. Record it again."),
        (first("textures", values="textures/9.bin"), "'textures/9.bin': expected a file, got none of that name."),
        (first("textures", values="../0.bin"), "'../0.bin': expected a path inside the recording's folder, got one"),
        (first("textures", width=40000, height=1), "texture of 'draw0.x': expected at most 16384x16384 texels, which"),
        (first("programs", fragment="programs/7.frag"), "'programs/7.frag': expected a file, got none of that name."),
        (first("draws", program=2), "draws[0]: expected a whole number from 0 to 1 as 'program', got 2."),
        (first("draws", context=1), "draws[0]: expected a whole number from 0 to 0 as 'context', got 1."),
        (first("draws", outputs=[{"attachment": 0, "texture": 9}]), "draws[0]: expected an output among the textures, "
         "got 9, which is not recorded."),
        (first("draws", outputs=[{"attachment": 0, "texture": 0}]), "draws[0]: expected a new output, got texture 0, "
         "which was there before."),
        (first("draws", viewport=[0, 0, 6]), "draws[0]: expected 4 numbers as 'viewport', got [0, 0, 6]."),
        (first("draws", viewport=[0, 0, 6, "all"]), "draws[0]: expected 4 numbers as 'viewport', got [0, 0, 6, 'all']"),
        (first("draws", attributes={"corner": [[0, 0]]}), "draws[0]: expected 4 vertices as 'attributes.corner', got "),
        (first("draws", attributes={"corner": [[0], [0], [0], [1, 2]]}), "expected vertices of one size as 'attrib"),
        (first("draws", attributes={"corner": [[10**90]] * 4}), "expected up to 4 numbers as 'attributes.corner', got"),
        (first("draws", uniforms={"gain": 10**90}), "uniforms.gain: expected up to 4096 numbers, got 1000"),
        (first("draws", state="blend"), "draws[0]: expected a list of texts as 'state', got 'blend'."),
        (sampler(texture=9), "draws[0]: expected a texture behind 'x', got 9, which is not recorded."),
        (sampler(filter=[1]), "draws[0] samplers[0]: expected a list of texts as 'filter', got [1]."),
        (lambda about: [each.update(state=["blend"]) for each in about["draws"]], ": expected a draw that a pass can be"
         ", got none: draw0, draw1 are not run here, and what was written is taken as recorded: it uses blend. Record"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_entry_is_said_in_a_line(tmp_path: Path, change: Change, message: str) -> None:
    page = two_draws()
    change(page.about)
    assert message in refused(page, tmp_path)


def test_textures_are_counted_before_any_is_read(tmp_path: Path) -> None:
    page = two_draws()
    for texture in page.about["textures"]:
        texture.update(width=16384, height=16384)
    assert "expected at most 3.5 GiB of memory, got 12.0 GiB of memory of textures, the largest is '" in refused(
        page, tmp_path
    )


def test_whole_numbers_that_no_float_holds_are_refused(tmp_path: Path) -> None:
    page = two_draws()
    page.about["textures"][0].update(type="int32")
    assert "'textures/0.bin': expected whole numbers up to 16777216, got " in refused(page, tmp_path)


def test_what_the_page_noted_is_a_warning(tmp_path: Path) -> None:
    page = two_draws()
    page.about["notes"] = ["Context 0 was lost after draw 2:\n the recording of it ends there."]
    plan = plan_of(page.write(tmp_path), OpenOptions())
    assert plan.warnings == ("Context 0 was lost after draw 2: the recording of it ends there.",)


def test_ten_times_the_draws_take_no_more_than_ten_times_the_time(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        page = two_draws()
        draw = {**page.about["draws"][0], "outputs": [], "attributes": None}
        page.about["draws"] += [draw] * count
        folder, start = page.write(tmp_path / str(count)), time.perf_counter()
        plan_of(folder, OpenOptions())
        return time.perf_counter() - start

    seconds(10)
    assert seconds(5000) < 30 * max(seconds(500), 0.05)
