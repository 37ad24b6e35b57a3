"""A repair is a diff under which the pass was right, on other inputs too; the session is as it was."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np

from pipeline.repair.repairing import Clues, Repairing
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, dispatches, elements
from tests.faults.subjects import Subject


def repairing(gl: moderngl.Context, subject: Callable[[], Subject], old: str, new: str) -> Repairing:
    """The search behind a line written otherwise, done."""
    planted = Fault("planted here", "", subject, (Edit(old, new),)).plant(gl)
    with planted.session as session:
        before = session.tensor(planted.name)
        found = Repairing(session, planted.name, Clues())
        found.run()
        assert np.array_equal(session.tensor(planted.name), before)
    return found


def test_a_line_written_otherwise_comes_back_as_a_diff(gl: moderngl.Context) -> None:
    found = repairing(gl, convolutions.conv_relu_fetch, "i < u_x_shape.y; ++i", "i < u_x_shape.y - 1; ++i")
    repair = found.repairs[0]
    assert (repair.line, found.made) == (48, (repair.file, 48))
    written = {(each.edits[0].after or "").strip() for each in found.repairs}
    assert {f"for (int i = 0; i {bound}; ++i) {{" for bound in ("< u_x_shape.y", "<= u_x_shape.y - 1")} <= written
    assert f"+++ b/{repair.file}\n" in repair.diff
    assert repair.inputs_tried == 4
    assert found.progress == 1.0


def test_two_faults_in_one_pass_are_mended_together(gl: moderngl.Context) -> None:
    bugs = Edit("(x - mean)", "(x + mean)"), Edit("scaled + texelFetch(u_shift", "scaled - texelFetch(u_shift")
    planted = Fault("planted here", "", elements.batchnorm_tiles, bugs).plant(gl)
    with planted.session as session:
        repairs = Repairing(session, planted.name, Clues(), 50.0).run()
    assert {edit.line for edit in repairs[0].edits} == {line for _, line in planted.changed}


def test_a_compute_pass_is_mended_as_well(gl: moderngl.Context) -> None:
    found = repairing(gl, dispatches.relu_plain, "max(value, 0.0)", "min(value, 0.0)")
    assert found.repairs[0].edits[0].after == "    y[at] = max(value, 0.0);"


def test_one_that_shares_memory_too_and_an_index_that_leaves_it_mends_nothing(gl: moderngl.Context) -> None:
    """From 64 on `own + left` is beyond the array, where a driver may have zeros."""
    found = repairing(gl, dispatches.mean_shared, "int left = 32;", "int left = 16;")
    new = {(each.after or "").strip() for repair in found.repairs for each in repair.edits}
    assert "for (int left = 32; left > 0; left /= 2) {" in new
    assert not any("64" in each for each in new)


def test_two_faults_that_are_known_are_mended_one_by_one(gl: moderngl.Context) -> None:
    """Each edit is seen by what the other fault alone makes of the inputs."""
    bugs = Edit("max(value, 0.0)", "min(value, 0.0)"), Edit("float value = x[at]", "float value = 2.0 * x[at]")
    planted = Fault("planted here", "", dispatches.relu_plain, bugs).plant(gl)
    with planted.session as session:
        x = session.tensor(session.plan.inputs[0]).reshape(-1)
        search = Repairing(session, planted.name, Clues(halves=(2.0 * np.maximum(x, 0.0), np.minimum(x, 0.0))), 50.0)
        repairs = search.run()
    assert {edit.line for edit in repairs[0].edits} == {line for _, line in planted.changed}
