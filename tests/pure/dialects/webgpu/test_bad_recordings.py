"""A recording comes from somebody else: whatever is wrong with it is one line, and no size in it is believed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.pure.dialects.refused_recordings import Change, first, refused
from tests.webgpu_recordings import two_dispatches
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.target import OpenOptions


def dispatch(**values: Any) -> Change:
    """Sets fields of the first dispatch."""
    return lambda about: about["commands"][1].update(values)


def binding(number: int, **values: Any) -> Change:
    """Sets fields of one of the first dispatch's bindings."""
    return lambda about: about["commands"][1]["bindings"][number].update(values)


def every_dispatch(**values: Any) -> Change:
    """Sets fields of all dispatches."""
    return lambda about: [each.update(values) for each in about["commands"][1:]]


NONE_RUNS = "expected a dispatch that a pass can be, got none: "


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda about: about.update(version=2), 'dispatches.json: expected "format": "texelscope-webgpu" of version 1, '
         "got 'texelscope-webgpu' of version 2. Record it again."),
        (lambda about: about.update(commands=[], notes=["Nothing was dispatched while it recorded."]),
         "dispatches.json: expected 1 to 10000 dispatches, got 0; Nothing was dispatched while it recorded."),
        (lambda about: about.update(commands=[about["commands"][1]] * 10_001), "expected 1 to 10000 dispatches, got "
         "10001."),
        (lambda about: about.update(notes=[3]), "dispatches.json: expected texts as 'notes', got 3."),
        (lambda about: about["contents"].insert(0, 3), "dispatches.json contents[0]: expected an object, got 3."),
        (first("contents", bytes=0), "contents[0]: expected a whole number from 1 to 1099511627776 as 'bytes', got 0."),
        (first("contents", sha256="../../etc"), "contents[0]: expected 64 digits as 'sha256', got '../../etc'."),
        (first("programs", sha256="0"), "programs[0]: expected 64 digits as 'sha256', got '0'."),
        (first("contents", sha256="0" * 64), "'buffers/0.bin': expected the bytes that were recorded, got others. "
         "Record it again, or take the old file."),
        (first("contents", values="buffers/9.bin"), "'buffers/9.bin': expected a file, got none of that name."),
        (first("contents", values="../0.bin"), "'../0.bin': expected a path inside the recording's folder, got one"),
        (first("contents", values="buffers/1.bin"), "'buffers/1.bin': expected 8 bytes, got 96. Record it again."),
        (first("programs", text="programs/7.wgsl"), "'programs/7.wgsl': expected a file, got none of that name."),
        (first("commands", kind="draw"), "commands[0]: expected a kind that is known, got 'draw'."),
        (first("commands", size=-1), "commands[0]: expected a whole number from 0 to 1099511627776 as 'size', got -1."),
        (dispatch(program=2), "commands[1]: expected a whole number from 0 to 1 as 'program', got 2."),
        (dispatch(groups=[1, 2]), "commands[1]: expected three counts of work groups as 'groups', got [1, 2]."),
        (dispatch(groups=[1, 2, 1 << 32]), "expected three counts of work groups as 'groups', got [1, 2, 4294967296]."),
        (dispatch(indirect=99), "commands[1]: expected a content as 'indirect', got 99, which is not recorded."),
        (dispatch(constants=[1]), "commands[1]: expected up to 1000 constants by name, got [1]."),
        (dispatch(constants={"GAIN": [1, 2]}), "commands[1]: expected one number as 'constants.GAIN', got [1, 2]."),
        (dispatch(constants={"GAIN": "many"}), "uniforms.GAIN: expected up to 4096 numbers, got 'many'."),
        (binding(0, before=99), "bindings[0]: expected a content as 'before', got 99, which is not recorded."),
        (binding(0, before=1), "bindings[0]: expected a content of 8 bytes, got content 1 of 96."),
        (binding(1, binding=0), "commands[1]: expected one buffer at each binding, got one binding twice."),
        (every_dispatch(groups=[0, 1, 1]), f"{NONE_RUNS}dispatch0, dispatch1 are not run here, and what was written is "
         "taken as recorded: it has no work groups. Record"),
        (every_dispatch(groups=None), "its work groups are counted in a buffer that is not recorded. Record a page"),
        (every_dispatch(bindings=[]), "taken as recorded: it writes no buffer. Record a page that computes with float"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_entry_is_said_in_a_line(tmp_path: Path, change: Change, message: str) -> None:
    page = two_dispatches()
    change(page.about)
    assert message in refused(page, tmp_path)


WHOLE = "@group(0) @binding(2) var<storage, read_write> y : array<f32>;"
REASONS = [
    (WHOLE, WHOLE.replace("array<f32>", "array<i32>"), "it writes numbers beyond 16777216 ('y': i32)."),
    (WHOLE, WHOLE.replace("array<f32>", "array<atomic<u32>>"), "'y' holds atomic<u32>."),
    ("count : u32", "count : u32, more : vec4<f32>", "'sizes.more' lies behind the 8 bytes that are bound."),
    ("id.x >= sizes.count", "id.x >= arrayLength(&y)", ""),
    ("fn main", "fn main_", ""),
    ("var left = 0.0;", "var left = f16(0.0);", "'programs/002.wgsl' line 8: expected "),
]


@pytest.mark.parametrize(("right", "other", "reason"), REASONS)
def test_a_dispatch_that_no_pass_can_be_says_why(tmp_path: Path, right: str, other: str, reason: str) -> None:
    page = two_dispatches()
    text = page.files["programs/000.wgsl"].decode().replace(right, other)
    page.about["commands"][1]["program"] = page.program(text)
    warnings = plan_of(page.write(tmp_path), OpenOptions()).warnings
    if not reason:
        assert warnings == ()
        return
    (warning,) = warnings
    assert warning.startswith("dispatch0 is not run here, and what was written is taken as recorded: " + reason)


def test_the_length_of_a_buffer_that_ends_within_a_vector_is_not_asked_for(tmp_path: Path) -> None:
    page = two_dispatches()
    text = page.files["programs/000.wgsl"].decode().replace("sizes.count", "arrayLength(&x)")
    page.about["commands"][1]["program"] = page.program(text)
    page.about["commands"][1]["bindings"][1].update(size=92, before=page.content(np.zeros(23, np.float32)))
    (warning,) = plan_of(page.write(tmp_path), OpenOptions()).warnings
    assert warning.endswith("it asks for the length of 'x' of 92 bytes, which are no multiple of 16.")


def test_what_is_bound_and_not_recorded_says_what_it_is(tmp_path: Path) -> None:
    page = two_dispatches()
    bindings = page.about["commands"][1]["bindings"]
    bindings[1] = {"group": 0, "binding": 1, "other": "a texture (2d, rgba8unorm)"}
    (warning,) = plan_of(page.write(tmp_path / "texture"), OpenOptions()).warnings
    assert warning.endswith("'x' is a texture (2d, rgba8unorm), which is not recorded.")
    page = two_dispatches()
    del page.about["contents"][1]["values"]
    page.about["contents"][1]["missing"] = "it could not be read back"
    (warning,) = plan_of(page.write(tmp_path / "missing"), OpenOptions()).warnings
    assert warning.endswith("what 'x' held is not recorded: it could not be read back.")


def test_contents_are_counted_before_they_are_taken_into_memory(tmp_path: Path) -> None:
    page = two_dispatches()
    page.about["contents"][1]["bytes"] = 1 << 36
    page.about["commands"][1]["bindings"][1]["size"] = 1 << 36
    assert "'buffers/1.bin': expected 68719476736 bytes, got 96. Record it again." in refused(page, tmp_path)


def test_a_shape_is_no_option_of_a_recording(tmp_path: Path) -> None:
    folder = two_dispatches().write(tmp_path)
    with pytest.raises(TexelscopeError, match=r"^--shape x: expected a model, got '.+', a recording of one run"):
        plan_of(folder, OpenOptions(shapes={"x": (4, 6)}))


def test_what_the_page_noted_is_a_warning(tmp_path: Path) -> None:
    page = two_dispatches()
    page.about["notes"] = ["Device 0 was lost:\n it is gone."]
    assert plan_of(page.write(tmp_path), OpenOptions()).warnings == ("Device 0 was lost: it is gone.",)


def test_ten_times_the_dispatches_take_no_more_than_ten_times_the_time(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        page = two_dispatches()
        page.about["commands"] += [page.about["commands"][1]] * count
        folder, start = page.write(tmp_path / str(count)), time.perf_counter()
        plan_of(folder, OpenOptions())
        return time.perf_counter() - start

    seconds(10)
    assert seconds(500) < 30 * max(seconds(50), 0.05)
