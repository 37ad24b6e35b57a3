"""Shaders that a driver dies of, or takes long over, are refused in a line; the window or the command goes on."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from texelscope import pipeline
from texelscope.pipeline.deadline import unless
from texelscope.pipeline.errors import CancelledError, ShaderError
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.quotas import Quotas, allowing
from texelscope.pipeline.shader_trials import trying
from texelscope.pipeline.shader_trials.trying import reason_against

_HEAD = "#version 330 core\nuniform sampler2D u_image;\nout vec4 c;\n"
_PLAIN = _HEAD + "void main() { c = texelFetch(u_image, ivec2(gl_FragCoord.xy), 0); }\n"
# Of a sum of so many terms Mesa's recursion ends the process.
_DEADLY = _HEAD + "void main() { float x = gl_FragCoord.x; c = vec4(" + "+".join(["x"] * 150_000) + "); }\n"
# LLVM takes minutes over so many statements.
_LONG = _HEAD + "void main() { float x = gl_FragCoord.x;\n" + "x = x * 1.25 + 0.5;\n" * 60_000 + "c = vec4(x); }\n"
_LARGE_ARRAY = _HEAD + "float a[70000];\nvoid main() { c = vec4(1.0); }\n"
_FILE = """
[pipeline]
name = "strange"

[[input]]
name = "image"
shape = [1, 1, 4, 4]
source = "ramp"
layout = "channel_tiles"

[[pass]]
name = "first"
shader = "first.frag"
output = { shape = [1, 1, 4, 4], layout = "channel_tiles" }
textures.u_image = "image"

[[pass]]
name = "second"
shader = "second.frag"
output = { shape = [1, 1, 4, 4], layout = "channel_tiles" }
textures.u_image = "image"
"""


_REFUSED = "first.frag:1: expected a shader that compiles, got one that the driver dies of"


def _source(text: str) -> ProgramSource:
    return ProgramSource(text, (SourceFile(1, "a.frag", text),))


def test_a_deadly_shader_is_refused_and_other_passes_run(tmp_path: Path, gl: moderngl.Context) -> None:
    (tmp_path / "pipeline.toml").write_text(_FILE, encoding="utf-8")
    (tmp_path / "first.frag").write_text(_DEADLY, encoding="utf-8")
    (tmp_path / "second.frag").write_text(_PLAIN, encoding="utf-8")
    with pipeline.open(tmp_path / "pipeline.toml", context=gl) as session:
        session.run()
        told = str(session.shader_error("first"))
        assert told.startswith(
            "first.frag:1: expected a shader that compiles, got one that the driver dies of: a process"
        )
        assert session.tensor("second").max() == 15 / 16
        with pytest.raises(ShaderError, match=_REFUSED):
            session.replace_shader("first", _DEADLY)
        session.replace_shader("first", _PLAIN)
        session.run()
        assert session.tensor("first").max() == 15 / 16


def test_a_shader_that_takes_too_long_is_ended() -> None:
    with allowing(Quotas(compile_seconds=1)):
        assert reason_against(_source(_LONG)) == (
            "one that takes the driver more than 1 s, after which it was ended "
            "(--limit compile_seconds=N gives it more)"
        )


def test_one_that_only_looks_strange_is_taken() -> None:
    assert reason_against(_source(_LARGE_ARRAY)) == ""


def test_trying_ends_when_nobody_wants_it_and_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    strange = _source(_LARGE_ARRAY.replace("70000", "70001"))
    with unless(lambda: True), pytest.raises(CancelledError):
        reason_against(strange)
    tried = []
    monkeypatch.setattr(trying, "in_a_process", lambda *arguments: tried.append(arguments))
    assert [reason_against(strange) for _ in range(3)] == [""] * 3
    assert len(tried) == 1
    assert reason_against(_source(_PLAIN)) == ""
    assert len(tried) == 1
