"""Any window of a trace is what the whole has there, with what was known before; long loops take bounded memory."""

from __future__ import annotations

import time
from pathlib import Path

import moderngl
import pytest

from tests.gl.step_trace.one_pass import main_of, one_pass
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.step_trace import buffer_log, colour_log, recorder
from texelscope.pipeline.step_trace.trace import Assigned, Trace

pytestmark = pytest.mark.usefixtures("both_logs")

BEFORE = """\
struct Pair { float first; vec2 rest[2]; };
float kept = 0.25;
float added(float x, int n) {
    float sum = x;
    for (int k = 0; k < n; k++) sum += float(k);
    kept += sum;
    return sum;
}
"""
BODY = """\
    float cells[3] = float[3](0.0, 0.0, 0.0);
    Pair pair = Pair(1.0, vec2[2](vec2(2.0), vec2(3.0)));
    int turn = 0;
    while (turn < 4) {
        cells[turn % 3] += added(float(turn), 2);
        do { pair.rest[turn % 2].y -= 1.0; } while (pair.rest[turn % 2].y > 2.0);
        turn++;
    }
    result = vec4(cells[0], cells[1], pair.rest[1].y, kept);"""


def last_values(trace: Trace, stop: int) -> dict[tuple[str, str], Assigned]:
    """Each variable's last value of those that were assigned before step `stop` began."""
    made = [*trace.before, *(made for step in trace.steps for made in step.assigned)]
    return {(each.function, each.name): each for each in made if each.begun <= stop}


def test_every_window_is_a_part_of_the_whole(gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, main_of(BODY, BEFORE)) as session:
        whole = session.trace("y", 0)
        names = {made.name for step in whole.steps for made in step.assigned}
        assert {"cells[2]", "pair.first", "pair.rest[1]", "pair.rest[0].y", "kept", "x", "turn"} <= names
        for first in range(0, whole.total, 5):
            part = session.trace("y", 0, window=(first, first + 7))
            assert part.total == whole.total
            assert [each.number for each in part.steps] == [each.number for each in whole.steps[first : first + 7]]
            for got, expected in zip(part.steps, whole.steps[first : first + 7], strict=True):
                assert (got.line, got.text, got.turns, got.call, got.depth, got.branch) == (
                    expected.line, expected.text, expected.turns, expected.call, expected.depth, expected.branch
                )  # fmt: skip
            if first:
                known = last_values(part, first)
                assert known == last_values(whole, first)


def test_a_window_behind_the_end_is_empty_and_a_wrong_one_refused(gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, main_of(BODY, BEFORE)) as session:
        behind = session.trace("y", 0, window=(10**8, 10**8 + 1))
        assert (behind.steps, behind.outputs) == ((), session.trace("y", 0).outputs)
        with pytest.raises(TexelscopeError, match=r"trace of 'y': expected a window of steps, .*, got 9, 9"):
            session.trace("y", 0, window=(9, 9))


def test_windows_are_reached_in_strides(gl: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with one_pass(tmp_path, gl, main_of(BODY, BEFORE)) as session:
        far = session.trace("y", 0, window=(60, 70))
        monkeypatch.setattr(recorder, "STRIDE", 7)
        assert session.trace("y", 0, window=(60, 70)) == far


def test_what_does_not_fit_is_told_in_part(
    gl: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with one_pass(tmp_path, gl, main_of(BODY, BEFORE)) as session:
        whole, far = session.trace("y", 0), session.trace("y", 0, window=(60, 64))
        monkeypatch.setattr(buffer_log, "FIRST_ENTRIES", 8)
        for module in (buffer_log, colour_log):
            monkeypatch.setattr(module, "MOST_ENTRIES", 60)
        assert session.trace("y", 0, window=(60, 64)) == far
        part = session.trace("y", 0)
        assert 10 < len(part.steps) < part.total
        assert part.steps == whole.steps[: len(part.steps)]
        with pytest.raises(TexelscopeError, match=r"expected at most 60 entries for a window, got \d+"):
            session.trace("y", 0, window=(0, 70))


@pytest.mark.parametrize("both_logs", ["logged in a buffer"], indirect=True)  # in colours it takes a graphics card
def test_a_loop_of_many_turns_is_told_in_a_window_at_once(gl: moderngl.Context, tmp_path: Path) -> None:
    # llvmpipe ends all loops of a shader together after 65,535 turns.
    body = """\
    float sum = 0.0;
    for (int i = 0; i < 250; i++)
        for (int k = 0; k < 250; k++)
            sum += texelFetch(u_x, ivec2(k % 5, i % 3), 0).x;
    result = vec4(sum);"""
    with one_pass(tmp_path, gl, main_of(body)) as session:
        session.trace("y", 0, window=(0, 1))
        start = time.process_time()
        trace = session.trace("y", 0, window=(180_000, 180_040))
        took = time.process_time() - start
        texel = session.texels("y")[0, 0, 0]
    assert trace.total == 1 + 1 + 251 + 250 + 250 + 250 * (251 + 250 + 250) + 1
    assert trace.steps[0].number == 180_000
    assert trace.outputs["result"][0] == texel
    assert took < 1.0
