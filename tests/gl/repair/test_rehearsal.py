"""A program that a driver refuses is known before it comes to this process's own driver."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gl.diagnose.small_pipeline import small_pipeline
from tests.pure.models import model, node, value
from texelscope.pipeline.repair.harness.rehearsal import Rehearsal

VERTEX = "#version 330\nvoid main() { gl_Position = vec4(0.0); }\n"
FINE = "#version 330\nout vec4 o; void main() { o = vec4(1.0); }\n"
SHADER = """\
#version 330
uniform sampler2D t_X;
out float Y;
void main() { Y = -texture(t_X, (gl_FragCoord.xy + 0.3) / 16.0).r; }
"""


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


def test_what_was_rehearsed_is_in_the_driver_s_cache_for_the_bench(tmp_path: Path) -> None:
    """A stage says all that the driver makes a shader's machine code for: the bench adds nothing to what it keeps."""
    made = model([node("Neg", "x", "y")], [value("x")], [value("y")])
    passes = '[[pass]]\nname = "y"\nshader = "y.frag"\noutput = { {tensor} }\n'
    passes += 'textures.t_X = { tensor = "x", filter = "linear", wrap = "repeat" }\n'
    path = small_pipeline(tmp_path, made, {"y.frag": SHADER}, "channel_tiles", passes)
    cache = tmp_path / "cache"
    environment = {**os.environ, "MESA_SHADER_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "tests.gl.repair.drawn_twice", str(path), str(cache)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    before, rehearsed, drawn = map(int, run.stdout.split())
    if not rehearsed:
        pytest.skip("the driver keeps nothing on disk")
    assert before < rehearsed
    assert drawn == rehearsed
