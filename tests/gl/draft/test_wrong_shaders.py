"""Shaders with bugs are drafted in the layouts that they were written for, so that the bugs are named."""

from __future__ import annotations

from pathlib import Path

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.draft_writing.writing import write_draft

EXAMPLE = ROOT / "examples" / "webgl_cnn"
FREE = {"image": (1, 3, 64, 64)}
LAYERS = ("down1", "down2", "down3", "up1", "up2", "up3")


def test_shaders_with_a_bug_each_get_their_layouts_and_the_first_bug_is_named(tmp_path: Path) -> None:
    shaders = [EXAMPLE / f"{name}.frag" for name in LAYERS]
    written = write_draft(shaders, tmp_path / "cnn", DraftRequest(shapes=FREE), EXAMPLE / "model.onnx")
    assert written.matched == ()
    with pipeline.open(written.file) as session:
        session.run()
        report = session.compare()
    assert report.culprit == "down1"
    (found, *_) = next(each for each in report.passes if each.name == "down1").findings
    assert found.cause == "shift"
