"""Tests the texts behind a pass, and the effect of changing one."""

from __future__ import annotations

import re
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from tests.gl.viewer.conftest import model
from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.glsl.replaced_file import with_text
from texelscope.pipeline.lowerings.lowering import step_words
from texelscope.pipeline.quotas import present
from texelscope.viewer.shader_editor.model.pass_texts import (
    error_lines,
    first_line,
    form_texts,
    how_it_runs,
    texts_of,
)

TARGET = "model.onnx"


def test_a_pass_shows_its_file_what_gl_compiles_and_the_vertex_shader(session: DebugSession) -> None:
    texts = texts_of(session, "conv", TARGET)
    assert [text.label for text in texts] == ["conv.glsl", "generated", "vertex"]
    assert [text.editable for text in texts] == [True, False, False]
    assert texts[0].text in texts[1].text + "\n"
    assert texts[0].path is None  # a file of Texelscope itself is not for saving


def test_a_pass_s_part_of_a_file_of_several_is_known_by_its_line(gl: moderngl.Context, tmp_path: Path) -> None:
    block = "//!HOOK MAIN\n//!SAVE a\nvec4 hook() { return vec4(1.0); }\n"
    (tmp_path / "x.glsl").write_text(block + block, encoding="utf-8")
    with pipeline.open(tmp_path / "x.glsl", context=gl) as opened:
        for name, line in (("a", 1), ("a#2", 6)):
            shown = texts_of(opened, name, tmp_path / "x.glsl")[0]
            assert (shown.label, shown.editable, shown.text) == ("x.glsl", True, block + block)
            assert shown.file is not None
            assert first_line(opened.program_source(name), shown.file) == line


def test_a_form_shows_a_text_a_step_that_nobody_edits(gl: moderngl.Context) -> None:
    with pipeline.open(model(), layout="channel_tiles_rgba", backend="fragment", context=gl) as opened:
        form = opened.form("conv")
        assert form is not None
        (text,) = form_texts(form)
        assert (text.label, text.editable) == ("form", False)
        assert text.text == form.steps[0].program.fragment
        words = step_words(form.steps[0])
        assert re.fullmatch(r"draw of \d+ fragments, \d pixels x 1 group of channels each", words)
        assert text.about == f"{words.capitalize()}; reads X; writes Y"
        assert how_it_runs(opened, "conv", form) == (f"Runs as a {words}", False)


def test_an_edited_shader_runs_by_itself_and_says_so(gl: moderngl.Context) -> None:
    with pipeline.open(model(), layout="channel_tiles_rgba", context=gl) as opened:
        opened.replace_shader("conv", opened.program_source("conv").fragment)
        assert opened.form("conv") is None
        assert form_texts(opened.form("conv")) == ()
        assert how_it_runs(opened, "conv", None) == ("Runs its own shader, which was edited here", True)


def test_a_pass_that_runs_as_planned_needs_no_words(session: DebugSession) -> None:
    assert how_it_runs(session, "conv", session.form("conv")) == ("", False)


def test_what_runs_in_place_of_a_pass_is_shown_until_somebody_edits_the_pass(gl: moderngl.Context) -> None:
    with pipeline.open(one_convolution(), context=gl) as session:
        labels = [text.label for text in texts_of(session, "conv1", TARGET)]
        assert labels == ["conv.channel_tiles_rgba.glsl", "generated", "vertex"]
        (step,) = form_texts(session.form("conv1"))
        assert "imageStore" in step.text
        session.replace_program("conv1", session.program_source("conv1"))
        assert form_texts(session.form("conv1")) == ()


def test_an_input_has_no_texts(session: DebugSession) -> None:
    assert texts_of(session, "no such pass", TARGET) == ()


def test_a_changed_file_changes_the_program_and_nothing_else(session: DebugSession) -> None:
    shown = texts_of(session, "conv", TARGET)[0]
    assert shown.file is not None
    changed = with_text(
        session.program_source("conv"), shown.file, shown.text.replace("float sum = 0.0", "float sum = 7.0")
    )
    assert changed is not None
    before = session.tensor("conv")
    session.replace_program("conv", changed)
    session.run()
    np.testing.assert_allclose(session.tensor("conv"), before + 7.0)
    again = texts_of(session, "conv", TARGET)[0]
    assert "sum = 7.0" in again.text
    assert again.original == shown.text


def test_a_file_that_was_too_large_to_be_read_cannot_be_saved_over(gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, INPUT + PASS)
    (tmp_path / "copy.frag").write_text(COPY.replace("out vec4", '#include "large.glsl"\nout vec4'), encoding="utf-8")
    (tmp_path / "large.glsl").write_text("/" * (present().shader_bytes + 1), encoding="utf-8")
    with pipeline.open(path, context=gl) as opened:
        opened.run()
        own, included, _, _ = texts_of(opened, "copy", path)
        error = opened.shader_error("copy")
        assert (own.editable, included.editable) == (True, False)
        assert included.text == "// This file is too large to read."
        assert list(error_lines(error, included)) == [1]


def test_an_error_stands_on_its_line_in_its_file_alone(session: DebugSession) -> None:
    shown, generated, _ = texts_of(session, "conv", TARGET)
    assert shown.file is not None
    broken = "\n".join(["float nothing = wrong;", shown.text])
    changed = with_text(session.program_source("conv"), shown.file, broken)
    assert changed is not None
    with pytest.raises(ShaderError, match="wrong"):
        session.replace_program("conv", changed)
    error = session.shader_error("conv")
    assert list(error_lines(error, shown)) == [1]
    assert error_lines(error, generated) == {}
    assert error_lines(None, shown) == {}


def test_a_user_s_file_has_a_path_to_be_saved_at() -> None:
    target = ROOT / "examples" / "webgl_cnn" / "fixed.toml"
    with pipeline.open(target) as session:
        texts = texts_of(session, session.plan.passes[0].name, target)
    assert texts[0].path == target.parent / texts[0].label
    assert texts[0].original is None
