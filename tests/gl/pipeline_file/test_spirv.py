"""Modules of SPIR-V open as they are, match, follow their files, and are shown and spoken of by their text."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import moderngl
import numpy as np
import pytest

import tests.faults.spirv as modules
from texelscope import pipeline
from texelscope.layouts.errors import TexelscopeError
from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftRequest, drafted
from texelscope.pipeline.front_ends.spirv import decoded
from texelscope.pipeline.importers.planned_draft import declared_in
from texelscope.pipeline.patches.patch import AuthorsFiles
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.viewer.shader_editor.model.pass_texts import texts_of

pytestmark = modules.needs_spirv_cross
HOME = Path(modules.__path__[0])
FOLDERS = sorted(each.parent for each in HOME.glob("*/pipeline.toml"))


def _copied(name: str, to: Path) -> Path:
    return Path(shutil.copytree(HOME / name, to / name)) / "pipeline.toml"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_pass_matches_the_model(folder: Path, gl: moderngl.Context) -> None:
    with pipeline.open(folder / "pipeline.toml", context=gl) as session:
        session.run()
        assert {each.verdict for each in session.compare().passes} == {"match"}


def test_reads_stand_at_lines_of_the_text_and_blocks_with_members_of_one_name_are_told_apart(
    gl: moderngl.Context,
) -> None:
    with pipeline.open(HOME / "depthwise" / "pipeline.toml", context=gl) as session:
        session.run()
        reads = session.taps("y", (0, 2, 3, 4)).reads
        lines = session.plan.passes[0].program.files[0].text.split("\n")
    assert {read.key for read in reads} == {"x", "w", "b"}
    assert all(read.site.text in lines[read.site.line - 1] for read in reads)


def test_a_module_without_names_opens_by_its_bindings(gl: moderngl.Context, tmp_path: Path) -> None:
    target = _copied("layer_norm", tmp_path)
    target.write_text(target.read_text(encoding="utf-8").replace("binding1 =", "Gamma ="), encoding="utf-8")
    with pytest.raises(TexelscopeError, match=r"got none for 'binding1' \(LayerNorm\.spv:23\)"):
        pipeline.open(target, context=gl)


def test_a_module_that_is_compiled_anew_runs_and_a_broken_one_leaves_the_last_good_program(
    tmp_path: Path, gl: moderngl.Context
) -> None:
    target = _copied("depthwise", tmp_path)
    module, wrong = target.parent / "depthwise.spv", target.parent / "wrong" / "bias_of_the_first.spv"
    with pipeline.open(target, context=gl) as session, Reloader(session, target) as reloader:
        session.run()
        before = session.tensor("y")
        module.write_bytes(module.read_bytes()[:1000])
        (error,) = reloader.reload(frozenset({module})).errors
        assert "expected instructions that end in the file, got one of " in str(error)
        assert "'depthwise.spv'" in str(error)
        session.run()
        assert np.array_equal(session.tensor("y"), before)
        shutil.copy(wrong, module)
        assert reloader.reload(frozenset({module})).passes == ("y",)
        assert not np.allclose(session.tensor("y"), before)


def test_the_text_of_a_module_is_shown_and_cannot_be_edited(gl: moderngl.Context) -> None:
    target = HOME / "two_steps" / "pipeline.toml"
    with pipeline.open(target, context=gl) as session:
        shown = texts_of(session, "s", target)[0]
    assert shown.label == "Steps.spv"
    assert shown.text.startswith("// Entry point Scale, compute, translated from SPIR-V.\n#version 430 core\n")
    assert "// Entry point Shift, compute" in shown.text
    assert not shown.editable
    assert shown.about == "The text of a compiled file: change its source, and compile that again"


def test_no_patch_is_made_of_a_module() -> None:
    target = HOME / "depthwise" / "pipeline.toml"
    module = target.parent / "depthwise.spv"
    line = decoded(module.read_bytes(), module.name).split("\n")[49]
    edit = LineEdit(module.name, 50, line, line.replace("id.z", "0"))
    assert "bias.data[id.z]" in line
    assert not AuthorsFiles(target).takes((edit,))


def test_each_entry_point_is_a_pass_of_a_draft() -> None:
    made = drafted(declared_in([HOME / "two_steps" / "Steps.spv"]), None, DraftRequest())
    passes = tomllib.loads(document(made, ["Steps.spv"]))["pass"]
    assert [(each["entry"], each["buffers"]["Input"]) for each in passes] == [("Scale", "input"), ("Shift", "Scale")]


def test_a_module_opens_alone(gl: moderngl.Context) -> None:
    with pipeline.open(HOME / "picture_cnn" / "layer.spv", context=gl) as session:
        session.run()
        (only,) = session.plan.passes
        assert [each.uniform for each in only.samplers] == ["previous"]
