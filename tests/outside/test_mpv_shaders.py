"""mpv user shaders as their authors published them open unchanged, run, and match the networks that they are."""

from __future__ import annotations

import re
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.outside.files import MPV_VARIABLE, mpv_shaders
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.quotas import Quotas

SHADERS = {path.name: path for path in mpv_shaders()}
ABSENT = f"no mpv user shaders: run 'python -m tests.outside.fetch', or name a folder in {MPV_VARIABLE}"
# Networks, of which every pass is judged by what its own literals say.
NETWORKS = [name for name in SHADERS if re.search(r"_CNN_|FSRCNNX|ArtCNN|CuNNy", name)]
# What compiling may take on busy cores.
PATIENT = Quotas(compile_seconds=300)
# On a driver that computes on the processor, a minute and more.
SLOW = re.compile(r"nnedi3-nns(128|256)|C4F32")
# Where an edited literal has to be found, and its file: a kernel of 3x3 behind rectified halves, one of luma alone.
EDITED = ("Anime4K_Restore_CNN_S.glsl", "Anime4K_Upscale_CNN_x2_M.glsl", "FSRCNNX_x2_8-0-4-1.glsl")

if not SHADERS:
    pytest.skip(ABSENT, allow_module_level=True)


def _opened(gl: moderngl.Context, path: Path) -> DebugSession:
    if gl.version_code < 430 and "//!COMPUTE" in path.read_text(encoding="utf-8"):
        pytest.skip("no compute shaders on this device")
    session = pipeline.open(path, context=gl, quotas=PATIENT)
    session.run()
    return session


@pytest.mark.parametrize("name", [name for name in SHADERS if not SLOW.search(name)])
def test_it_opens_unchanged_and_runs(gl: moderngl.Context, name: str) -> None:
    with _opened(gl, SHADERS[name]) as session:
        assert {each: str(error) for each, error in session.shader_errors.items()} == {}
        assert all(session.has_run(each.name) for each in session.plan.passes)
        assert np.isfinite(session.tensor(session.plan.outputs[0])).all()
        assert session.tensor(session.plan.outputs[0]).std() > 0.01


@pytest.mark.parametrize("name", [name for name in NETWORKS if not SLOW.search(name)])
def test_every_pass_of_a_network_matches_what_its_literals_say(gl: moderngl.Context, name: str) -> None:
    with _opened(gl, SHADERS[name]) as session:
        report = session.compare(findings=False)
        assert {each.name: (each.verdict, each.message) for each in report.passes if each.verdict != "match"} == {}


@pytest.mark.parametrize(
    "name", [name for name in EDITED if name in SHADERS] or [pytest.param("", marks=pytest.mark.skip(ABSENT))]
)
def test_one_literal_that_is_edited_is_found_in_its_pass(gl: moderngl.Context, tmp_path: Path, name: str) -> None:
    text = SHADERS[name].read_text(encoding="utf-8")
    literals = list(re.finditer(r"(?<=[(, ])-?0\.[0-9]{6,}(?=[,)])", text))
    chosen = literals[len(literals) // 2]
    path = tmp_path / name
    path.write_text(f"{text[: chosen.start()]}{float(chosen[0]) + 0.125:f}{text[chosen.end() :]}", encoding="utf-8")
    with pipeline.open(path, context=gl, oracle=str(SHADERS[name])) as session:
        session.run()
        report = session.compare(findings=False)
        at = text.count("\n", 0, chosen.start()) + 1
        culprit = session.plan.pass_called(str(report.culprit))
        lines = [line for _, line in _lines(session, culprit.name)]
        assert min(lines) <= at <= max(lines)


def _lines(session: DebugSession, name: str) -> list[tuple[str, int]]:
    from texelscope.pipeline.glsl.lines import line_map

    program = session.program_source(name)
    return [place for place in line_map(program) if place[0] == program.files[0].path]
