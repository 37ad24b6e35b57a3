"""Tests recordings elsewhere: texts in the window, bundles, probe pages; and what refuses them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.tfjs_recordings import RELU, four_programs
from texelscope import pipeline
from texelscope.pipeline.captured.judging import judge
from texelscope.pipeline.captured.reading import read_captured
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST, is_recording
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.bundle import pack, unpack
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.glsl.replaced_file import with_text
from texelscope.pipeline.opening import all_inputs
from texelscope.pipeline.probe.page import probe_page
from texelscope.pipeline.target import Target
from texelscope.viewer.shader_editor.model.pass_texts import texts_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the recording."""
    return four_programs().write(tmp_path / "recording")


def test_a_folders_shaders_are_saved_and_an_archives_are_tried(gl: moderngl.Context, folder: Path) -> None:
    archive = Path(shutil.make_archive(str(folder), "zip", folder))
    for target in (folder, archive):
        with pipeline.open(target, context=gl) as session:
            own, vertex, *_ = texts_of(session, "2_UnaryOpPacked", target)
            saved = folder / "programs" / "002_UnaryOpPackedProgram.frag"
            assert (own.path, own.text) == (saved if target is folder else None, RELU)
            assert RELU.split("\n")[own.first_line].startswith("vec4 unaryOperation")
            assert vertex.label == "002_UnaryOpPackedProgram.vert"
            assert own.file is not None
            changed = RELU.replace("vec4(0.0)", "vec4(0.5)")
            tried = with_text(session.program_source("2_UnaryOpPacked"), own.file, changed)
            assert tried is not None
            session.replace_program("2_UnaryOpPacked", tried)
            session.run()
            assert session.compare(findings=False).culprit == "2_UnaryOpPacked"


def test_a_bundle_has_all_of_it(tmp_path: Path, folder: Path) -> None:
    target = Target(str(folder))
    plan = pipeline.plan_of(folder)
    pack(tmp_path / "bundle", target, plan, all_inputs(plan, target), {})
    (tmp_path / "elsewhere").mkdir()
    bundle = unpack(tmp_path / "bundle", tmp_path / "elsewhere")
    assert [each.name for each in pipeline.plan_of(bundle.target.path).passes] == [each.name for each in plan.passes]


def test_a_probe_page_has_uniforms_that_json_has_no_word_for(folder: Path) -> None:
    page = probe_page(Target(str(folder)))
    assert re.search(r'"uniforms":\{"NAN":\["NaN"\]\}', page)


def test_what_a_recording_says_itself_is_not_asked_for(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(
        TexelscopeError, match=r"--shape x: expected a model, got 'recording', a recording of one run\."
    ):
        pipeline.plan_of(folder, shapes={"x": (1,)})
    with pytest.raises(TexelscopeError, match=r"expected a model, .*, got a pipeline of a person's own shaders\."):
        eject(str(folder), tmp_path / "ejected")


def test_a_recording_is_known_by_its_manifest(tmp_path: Path, folder: Path) -> None:
    assert is_recording(folder)
    assert is_recording(folder / MANIFEST)
    assert not is_recording(folder / "programs")
    (tmp_path / "other.zip").write_text(json.dumps({}))
    assert not is_recording(tmp_path / "other.zip")


def test_a_recording_of_another_device_is_a_capture(tmp_path: Path, folder: Path) -> None:
    page = four_programs()
    kept = np.frombuffer(page.files["textures/4.bin"], dtype="<f4").copy()
    kept[kept > 0.0] *= np.float32(1.0001)
    page.files["textures/4.bin"] = kept.tobytes()
    page.about["renderer"] = "another driver"
    plan = pipeline.plan_of(folder)
    captured = read_captured(page.write(tmp_path / "phone"), plan)
    report = judge(captured, findings=False).report
    assert (report.device.renderer, report.culprit) == ("another driver", "2_UnaryOpPacked")
    page.about["programs"].pop()
    with pytest.raises(
        TexelscopeError, match=r"phone: expected a recording of the programs of 'recording', got one of"
    ):
        read_captured(page.write(tmp_path / "phone"), plan)
