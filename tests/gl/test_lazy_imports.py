"""Tests that a start waits for no module that it does not need: slow ones are imported on demand."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.checkout import ROOT

# None of these says anything of a model that runs and matches.
FOR_WHAT_IS_WRONG = (
    "texelscope.pipeline.diagnose.hypotheses",
    "texelscope.pipeline.diagnose.evidence.gather",
    "texelscope.pipeline.diagnose.explain",
)
ASKED_FOR = (
    "texelscope.pipeline.read_trace.recorder",
    "texelscope.pipeline.export.html_report",
    "texelscope.pipeline.captured",
    "texelscope.pipeline.runs",
    "texelscope.pipeline.injection",
    "texelscope.pipeline.pipeline_file",
)
FOR_A_WINDOW = ("pyglet", "imgui_bundle", "OpenGL.GL", "texelscope.viewer")
# onnx.reference alone takes as long to import as all of the planning does to run.
FOR_VERDICTS = ("onnx.reference", "texelscope.pipeline.compare.comparer", "texelscope.pipeline.oracle.fast")
# The window draws with imgui's own renderer; PyOpenGL takes longer to import than the demo to open.
FOR_A_PICTURE = (
    "OpenGL.GL",
    "onnx.reference",
    "texelscope.pipeline.captured.reading",
    "texelscope.pipeline.export.html_report",
)
NEVER = (*FOR_WHAT_IS_WRONG, *ASKED_FOR, *FOR_A_WINDOW)

_RUN = (
    "from texelscope.pipeline.opening import open_and_run; from texelscope.arguments import demo; "
    "open_and_run(demo()).release()"
)
_DIFF = "from texelscope.command_line import main; main(['diff'])"


@pytest.mark.parametrize(
    ("what", "without"),
    [
        pytest.param("from texelscope.command_line import main; main(['-h'])", (*NEVER, "onnx", "moderngl"), id="help"),
        pytest.param(_RUN, (*NEVER, *FOR_VERDICTS), id="run"),
        pytest.param(_DIFF, NEVER, id="diff"),
        pytest.param("from texelscope.viewer import window", (*FOR_WHAT_IS_WRONG, *FOR_A_PICTURE), id="window"),
    ],
)
def test_a_start_waits_for_nothing_that_it_does_not_need(what: str, without: tuple[str, ...]) -> None:
    ask = f"import sys\ntry:\n    {what}\nexcept SystemExit:\n    pass\nprint('LOADED', *sys.modules)"
    answer = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.rpartition("LOADED")[2].split())
    assert "texelscope" in loaded
    assert sorted(loaded & set(without)) == []
