"""A window opens without importing what the first picture of a model does not need."""

from __future__ import annotations

import subprocess
import sys

from tests.checkout import ROOT

LATER = (
    "OpenGL.GL",
    "pipeline.compare.comparer",
    "pipeline.diagnose.explain",
    "pipeline.dialects.mpv.passes",
    "pipeline.front_ends.hlsl",
    "pipeline.front_ends.spirv",
    "pipeline.importers.planned_file",
    "pipeline.injection.inject",
    "pipeline.lowerings.fusion.fusing",
    "pipeline.pipeline_file.schema",
    "pipeline.read_trace.recorder",
    "pipeline.repair.found_repairs",
    "pipeline.roofline.chart",
    "pipeline.stepping.scopes",
    "pipeline.training.trainer",
    "pipeline.wgsl.program",
)


def test_the_window_does_not_import_other_languages_comparing_tracing_and_repair() -> None:
    question = "import sys, texelscope.viewer.window; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", question], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = {name.removeprefix("texelscope.") for name in answer.stdout.split()}
    assert "viewer.window" in imported
    assert sorted(imported & set(LATER)) == []
