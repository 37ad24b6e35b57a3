"""The example of one layer written twice, opened from its file: drawn and dispatched it gives the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import moderngl
import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.reduce.reduction import reduce
from texelscope.pipeline.roofline.work import dispatched
from texelscope.pipeline.target import Target

EXAMPLE = ROOT / "examples" / "convolution_twice"


def test_both_versions_of_the_layer_match(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE / "pipeline.toml", context=gl) as session:
        session.run()
        report = session.compare()
        assert {each.name: each.verdict for each in report.passes} == {"drawn": "match", "dispatched": "match"}
        assert dispatched(session) == {"dispatched"}
        assert abs(session.tensor("drawn") - session.tensor("dispatched")).max() < 1e-5


def test_a_wrong_dispatched_pass_is_not_reduced(tmp_path: Path) -> None:
    folder = tmp_path / "twice"
    shutil.copytree(EXAMPLE, folder)
    shader = folder / "conv.comp"
    shader.write_text(shader.read_text(encoding="utf-8").replace("max(sum, 0.0)", "sum"), encoding="utf-8")
    with pytest.raises(TexelscopeError, match="expected a pass that is drawn, got one that is dispatched"):
        reduce(Target(str(folder / "pipeline.toml")), tmp_path / "reduced")


def test_a_folder_of_shaders_is_not_ejected(tmp_path: Path) -> None:
    """It is one already."""
    with pytest.raises(TexelscopeError, match=r"expected a model, .*, got a pipeline of a person's own shaders"):
        eject(EXAMPLE / "pipeline.toml", tmp_path / "ejected")
