"""A program that a driver refuses is known before it comes to this process's own driver."""

from __future__ import annotations

import os
import time
from pathlib import Path

import moderngl
import pytest

from pipeline.repair.benches.rehearsal import Rehearsal
from pipeline.repair.benches.rehearsed import Scene
from pipeline.repair.benches.stage import Read, Stage

VERTEX = "#version 330\nvoid main() { gl_Position = vec4(0.0); }\n"
FINE = "#version 330\nout vec4 o; void main() { o = vec4(1.0); }\n"


def test_what_a_driver_takes_and_what_it_refuses_is_told() -> None:
    rehearsal = Rehearsal()
    try:
        assert rehearsal.takes(VERTEX, FINE)
        assert not rehearsal.takes(VERTEX, FINE.replace("vec4(1.0)", "nothing"))
        assert rehearsal.takes("", "#version 430\nlayout(local_size_x = 1) in;\nvoid main() {}\n")
    finally:
        rehearsal.close()


def test_programs_go_on_together_and_each_is_told_whatever_is_asked_for_first() -> None:
    rehearsal = Rehearsal()
    some = [FINE.replace("1.0", f"{number}.5") for number in range(5)]
    some[3] = some[3].replace("vec4(3.5)", "nothing")
    try:
        for text in some[:3]:  # more than there are processes
            rehearsal.expect(VERTEX, text)
        assert [rehearsal.takes(VERTEX, text) for text in (some[1], some[0], some[2])] == [True] * 3
        for text in some[3:]:
            rehearsal.expect(VERTEX, text)
        assert rehearsal.takes(VERTEX, FINE)  # beside those that are under way
        assert [rehearsal.takes(VERTEX, text) for text in some[3:]] == [False, True]
    finally:
        rehearsal.close()


def test_what_was_drawn_on_the_same_stage_is_in_the_driver_s_cache(gl: moderngl.Context) -> None:
    """A stage says all that the driver makes a shader's machine code for. It is written a little later than drawn."""
    stage = Stage((Read("t_X", 0, (24, 8), 4, "float32", "linear", "repeat"),), ((24, 8, 2),))
    rehearsal, scene = Rehearsal(stage), Scene(gl, stage)
    shares = []
    try:
        assert rehearsal.takes(VERTEX, FINE)  # the process is there
        for _ in range(4):
            shader = long_shader()
            start = time.perf_counter()
            assert rehearsal.takes(VERTEX, shader)
            made = time.perf_counter()
            time.sleep(0.2)
            again = time.perf_counter()
            scene.draw(VERTEX, shader)
            shares.append((time.perf_counter() - again) / (made - start))
    finally:
        rehearsal.close()
        scene.release()
    if not any(folder.is_dir() for folder in _caches()):
        pytest.skip("the driver keeps nothing on this disk")
    assert min(shares) < 0.4


def long_shader() -> str:
    """One whose making can be told from all else, another one each time."""
    turns = "".join(
        f"  if (u_many > {n}) s += sin(texture(t_X, vec2(s, {n}.{time.time_ns()})).x);\n" for n in range(300)
    )
    head = "#version 330\nuniform sampler2D t_X;\nuniform int u_many;\nout vec2 o;\nvoid main() {\n  float s = 0.0;\n"
    return f"{head}{turns}  o = vec2(s);\n}}\n"


def _caches() -> list[Path]:
    """Where Mesa keeps what it made."""
    said = os.environ.get("MESA_SHADER_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return [Path(said) / "mesa_shader_cache", Path(said) / "mesa_shader_cache_db"]
