"""A save of a shader takes up that shader alone, and gives the very plan that reading everything would."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from tests.small_models import one_convolution
from texelscope.pipeline.frames import Moment
from texelscope.pipeline.importers import pipeline_toml, planned_file
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.pipeline_file.table import PipelineFileError
from texelscope.pipeline.target import OpenOptions

ES = COPY.replace("330 core", "300 es\nprecision highp float;")
INCLUDING = COPY.replace("out vec4", '#include "part.glsl"\nout vec4').replace("0);", "0) * factor();")
PART = "uniform float u_unset;\nfloat factor() { return 2.0 + u_unset; }\n"
TOML = (
    '[pipeline]\nmodel = "model.onnx"\n'
    + INPUT
    + "".join(
        PASS.replace('"copy"', f'"{name}"').replace("copy.frag", f"{name}.frag").replace('"image"', f'"{source}"')
        + f'oracle = "{oracle}"\n'
        for name, source, oracle in (("a", "image", "image"), ("b", "a", "image"), ("c", "b", "image"))
    )
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three passes in a row, written some time ago; the last two include a file."""
    path = write_folder(tmp_path, TOML, a_frag=ES, b_frag=INCLUDING, c_frag=INCLUDING, part_glsl=PART)
    rest(tmp_path)
    return path


def rest(folder: Path) -> None:
    """Makes files look as if nobody had written one for a while."""
    before = time.time() - 60
    for file in folder.iterdir():
        os.utime(file, (before, before))


def opened(path: Path, **options: Any) -> FilePlan:
    plan = pipeline_toml.IMPORTER.plan(path, OpenOptions(**options))
    assert isinstance(plan, FilePlan)
    return plan


def replanned(path: Path, plan: FilePlan, *changed: str, **options: Any) -> FilePlan:
    files = {path.parent / name for name in changed}
    now = pipeline_toml.IMPORTER.replan(path, OpenOptions(**options), plan, files)
    assert isinstance(now, FilePlan)
    return now


def said(plan: FilePlan) -> Mapping[str, object]:
    """All that a plan says but for the model, which is read once, and when that was."""
    fields = {name: value for name, value in vars(plan).items() if name not in ("graph", "stamps", "initial_inputs")}
    return {
        **fields,
        "warnings": sorted(plan.warnings),
        "inputs": {k: v.tolist() for k, v in plan.initial_inputs.items()},
    }


@pytest.fixture
def reads_shaders_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but shaders may be read."""

    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("more was read than a shader")

    for name in ("read", "load_beside", "PlanBuilder"):
        monkeypatch.setattr(planned_file, name, refuse)


def test_nothing_but_the_saved_shader_is_read(path: Path, request: pytest.FixtureRequest) -> None:
    before = opened(path)
    request.getfixturevalue("reads_shaders_alone")
    (path.parent / "b.frag").write_text(INCLUDING.replace("0) *", "0) * 3.0 *"), encoding="utf-8")
    after = replanned(path, before, "b.frag")
    assert "3.0" in after.passes[1].program.fragment
    assert (after.passes[0], after.passes[2]) == (before.passes[0], before.passes[2])
    assert after.passes[0] is before.passes[0]
    assert after.graph is before.graph
    assert after.initial_inputs is before.initial_inputs
    assert (after.passes[1].nodes, after.passes[1].operator) == (before.passes[1].nodes, before.passes[1].operator)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.frag", ES.replace("precision highp float;", "precision highp float;\nprecision highp sampler2D;")),
        ("b.frag", COPY),
        ("part.glsl", "float factor() { return 3.0; }\n"),
        ("part.glsl", "\n" + PART),
        ("c.frag", ES),
    ],
)
def test_the_plan_is_the_one_that_reading_everything_gives(path: Path, name: str, text: str) -> None:
    before = opened(path)
    (path.parent / name).write_text(text, encoding="utf-8")
    after = replanned(path, before, name)
    assert after.entries is before.entries
    assert said(after) == said(opened(path))
    assert said(after) != said(before)


def test_a_shader_that_does_not_fit_the_file_says_so_and_may_be_mended(path: Path) -> None:
    before = opened(path)
    (path.parent / "c.frag").write_text(COPY.replace("t_X", "t_Z"), encoding="utf-8")
    with pytest.raises(PipelineFileError, match=r"\[\[pass\]\] 'c' textures.t_X: expected a sampler that c.frag has"):
        replanned(path, before, "c.frag")
    (path.parent / "c.frag").unlink()
    with pytest.raises(PipelineFileError, match=r"\[\[pass\]\] 'c' shader: expected a file, got none of that name"):
        replanned(path, before, "c.frag")
    (path.parent / "c.frag").write_text(COPY, encoding="utf-8")
    assert replanned(path, before, "c.frag").passes[2].program.files[0].text == COPY


def test_a_change_that_was_not_announced_is_seen_at_the_next_save(path: Path) -> None:
    before = opened(path)
    path.write_text(TOML.replace("random:1", "ones"), encoding="utf-8")
    (path.parent / "b.frag").write_text(COPY, encoding="utf-8")
    after = replanned(path, before, "b.frag")
    assert after.initial_inputs["image"].min() == 1.0


def test_a_change_that_was_refused_is_not_forgotten(path: Path) -> None:
    before = opened(path)
    path.write_text(TOML.replace('textures.t_X = "b"', 'textures.t_X = "bb"'), encoding="utf-8")
    for changed in ("pipeline.toml", "b.frag"):
        with pytest.raises(PipelineFileError, match="got 'bb'"):
            replanned(path, before, changed)


def test_a_model_that_came_with_a_refused_file_is_read_with_the_mended_one(path: Path) -> None:
    before = opened(path)
    model = one_convolution()
    model.graph.initializer[1].raw_data = np.arange(4, dtype=np.float32).tobytes()
    onnx.save(model, path.parent / "model.onnx")
    path.write_text(TOML + "nonsense", encoding="utf-8")
    with pytest.raises(Exception, match="expected TOML"):
        replanned(path, before, "model.onnx", "pipeline.toml")
    path.write_text(TOML, encoding="utf-8")
    after = replanned(path, before, "pipeline.toml")
    assert after.graph is not None
    assert after.graph.constants["conv1.bias"].tolist() == [0, 1, 2, 3]


def test_a_file_written_while_it_was_read_counts_as_changed(path: Path) -> None:
    path.write_text(TOML, encoding="utf-8")
    before = opened(path)
    assert before.outdated() == {path}
    assert replanned(path, before, "b.frag").entries is not before.entries


def test_other_options_make_another_plan(path: Path) -> None:
    path.write_text(TOML.replace('model = "model.onnx"', 'oracle = "oracle.py"').replace('oracle = "image"\n', ""))
    (path.parent / "oracle.py").write_text("def a(t_X): return t_X\ndef b(t_X): return t_X\ndef c(t_X): return t_X\n")
    rest(path.parent)
    before = opened(path)
    after = replanned(path, before, "b.frag", trust=True)
    assert before.oracle_file is not None
    assert after.oracle_file is not None
    assert (before.oracle_file.trusted, after.oracle_file.trusted) == (False, True)


def test_a_shader_that_is_saved_in_a_later_frame_has_the_uniforms_of_that_frame(tmp_path: Path) -> None:
    toml = INPUT + PASS + 'uniforms.u_gain = "frame * 2"\n'
    shader = COPY.replace("out vec4", "uniform float u_gain;\nout vec4").replace("0);", "0) * u_gain;")
    path = write_folder(tmp_path, toml, copy_frag=shader)
    rest(tmp_path)
    plan = opened(path).at(Moment(5))
    (tmp_path / "copy.frag").write_text(shader.replace("* u_gain", "/ u_gain"), encoding="utf-8")
    now = replanned(path, plan, "copy.frag")
    assert now.frames.moment.frame == 5
    assert now.passes[0].uniforms["u_gain"] == 10.0
    assert "/ u_gain" in now.passes[0].program.fragment
