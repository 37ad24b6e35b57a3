"""A window opens without importing what the first picture of a model does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT
from tests.pure.models import saved_conv_and_relu
from texelscope.pipeline.importers.registry import prepare

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


def test_planning_a_model_imports_nothing_that_was_not_prepared(tmp_path: Path) -> None:
    question = """
import sys
from texelscope.pipeline.importers.registry import plan_of, prepare
from texelscope.pipeline.target import OpenOptions
prepare(sys.argv[1])
before = {*sys.modules}
plan_of(sys.argv[1], OpenOptions())
print(*({*sys.modules} - before))
"""
    ask = [sys.executable, "-c", question, str(saved_conv_and_relu(tmp_path))]
    answer = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [name for name in answer.stdout.split() if name.startswith("texelscope.")] == []


def test_what_cannot_be_prepared_is_left_to_planning() -> None:
    prepare("nothing.that-is-known")
