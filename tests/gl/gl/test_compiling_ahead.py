"""What a second core compiles while a run compiles its first forms, and what the driver's cache keeps of it."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import onnx
import pytest

from benchmarks.unet import build
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl import compiling_ahead, session_lowerings
from texelscope.pipeline.gl.compiling_ahead import CompilingAhead
from texelscope.pipeline.gl.state import is_llvmpipe
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.target import OpenOptions

# Runs a model fused in a new process. The driver writes to its cache in a thread, which may still be busy at the end.
_RUN = """
import json, os, sys, time
from pathlib import Path
import numpy as np
from texelscope.pipeline.gl.compiling_ahead import CompilingAhead
from texelscope.pipeline.gl import session_lowerings
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.target import OpenOptions

session_lowerings.FEWEST_AHEAD = 10_000  # nothing is compiled ahead but here

def files():
    count, before = -1, -2
    while count != before:
        time.sleep(0.3)
        before, count = count, sum(len(names) for _, _, names in os.walk(os.environ["MESA_SHADER_CACHE_DIR"]))
    return count

told = {}
with open_session(Path(sys.argv[1]), OpenOptions()) as session:
    if sys.argv[2] == "ahead":
        ahead = CompilingAhead([each for each in session.fused() if isinstance(each, Lowering)], session.plan.textures)
        ahead.wait()
        told["compiled"], told["ahead"] = ahead.compiled, files()
    session.set_input("image", np.full((1, 3, 64, 64), 0.5, np.float32))
    session.run_fused()
    assert session.has_run(session.plan.passes[-1].name)
    told["forms"] = sum(isinstance(each, Lowering) for each in session.fused())
    told["files"] = files()
print(json.dumps(told))
"""


@pytest.fixture
def software(gl: moderngl.Context) -> moderngl.Context:
    if not is_llvmpipe(gl):
        pytest.skip("only where programs are compiled at their first draw: llvmpipe, LIBGL_ALWAYS_SOFTWARE=1")
    return gl


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The U-Net, whose textures have sides that are and that are not powers of two."""
    path = tmp_path_factory.mktemp("model") / "unet.onnx"
    onnx.save(build(ngf=8, depth=6, image_texels=64), path)
    return path


@pytest.fixture
def session(software: moderngl.Context, model: Path) -> Iterator[DebugSession]:
    with open_session(model, OpenOptions(), context=software) as session:
        yield session


def _run(model: Path, cache: Path, how: str) -> dict[str, Any]:
    cache.mkdir(exist_ok=True)
    environment = {**os.environ, "MESA_SHADER_CACHE_DIR": str(cache)}
    environment.pop("MESA_SHADER_CACHE_DISABLE", None)
    command = [sys.executable, "-c", _RUN, str(model), how]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=90)
    told: dict[str, Any] = json.loads(run.stdout)
    return told


def test_a_run_finds_all_that_was_compiled_ahead(software: moderngl.Context, model: Path, tmp_path: Path) -> None:
    told = _run(model, tmp_path / "cache", "ahead")
    assert told["compiled"] == told["forms"] > 8
    assert told["files"] == told["ahead"] > 8


def test_a_second_start_compiles_nothing(software: moderngl.Context, model: Path, tmp_path: Path) -> None:
    first, second = (_run(model, tmp_path / "cache", "plain") for _ in range(2))
    assert second["files"] == first["files"] > 8


def test_a_run_that_compiles_has_later_forms_compiled_beside_it(
    session: DebugSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_lowerings, "COMPILES_SECONDS", 0.0)
    monkeypatch.setattr(session_lowerings, "cores", lambda: 2)
    begun: list[list[Lowering]] = []

    class Noting(CompilingAhead):
        def __init__(self, forms: list[Lowering], textures: Any) -> None:
            begun.append(forms)
            super().__init__(forms, textures)

    monkeypatch.setattr(compiling_ahead, "CompilingAhead", Noting)
    session.set_input("image", np.full((1, 3, 64, 64), 0.5, np.float32))
    session.run_fused()
    first = session.tensor("picture")
    forms = [each for each in session.fused() if isinstance(each, Lowering)]
    (ahead,) = begun
    assert ahead
    assert {id(each) for each in ahead} <= {id(each) for each in forms[1:]}
    session.run_fused()
    np.testing.assert_array_equal(session.tensor("picture"), first)
    assert len(begun) == 1, "once a session"


def test_a_single_core_compiles_in_order(session: DebugSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_lowerings, "COMPILES_SECONDS", 0.0)
    monkeypatch.setattr(session_lowerings, "cores", lambda: 1)
    monkeypatch.setattr(compiling_ahead, "CompilingAhead", None)
    session.set_input("image", np.full((1, 3, 64, 64), 0.5, np.float32))
    session.run_fused()


def test_forms_that_the_run_has_reached_are_left_to_it(session: DebugSession) -> None:
    forms = [each for each in session.fused() if isinstance(each, Lowering)]
    ahead = CompilingAhead(forms, session.plan.textures)
    ahead.reach(forms[-1])
    ahead.wait()
    assert ahead.compiled <= 1, "no more than what it had begun with"


def test_a_session_that_ends_ends_it(software: moderngl.Context, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_lowerings, "COMPILES_SECONDS", 0.0)
    monkeypatch.setattr(session_lowerings, "cores", lambda: 2)
    with open_session(model, OpenOptions(), context=software) as session:
        session.set_input("image", np.full((1, 3, 64, 64), 0.5, np.float32))
        session.run_fused()
    assert "compiling ahead" not in [thread.name for thread in threading.enumerate()]


def test_what_ends_it_is_told_in_the_log_alone(
    session: DebugSession, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> moderngl.Context:
        raise RuntimeError("no second context")

    monkeypatch.setattr(compiling_ahead, "headless_context", refuse)
    forms = [each for each in session.fused() if isinstance(each, Lowering)]
    with caplog.at_level(logging.INFO):
        ahead = CompilingAhead(forms, session.plan.textures)
        ahead.wait()
    assert "compiling ahead ended: no second context" in caplog.text
    assert ahead.compiled == 0
