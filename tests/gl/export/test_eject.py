"""An ejected model opens, and matches in every pass, by itself; its shaders are for reading."""

from __future__ import annotations

import re
from pathlib import Path

import moderngl
import numpy as np
import onnx
import onnx.backend.test
import pytest

from tests.checkout import ROOT
from tests.gl.operators.test_dft import dft
from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.model_file import message
from texelscope.pipeline.model_file.message import copy_model
from texelscope.pipeline.target import OpenOptions

FACADES = ROOT / "examples" / "facades" / "facades.onnx"
SQUEEZENET = Path(onnx.backend.test.__file__).parent / "data" / "light" / "light_squeezenet.onnx"


@pytest.mark.parametrize(
    ("model", "layout", "pass_count"),
    [(FACADES, "channel_tiles_rgba", 30), (SQUEEZENET, "channel_tiles", 66)],
    ids=["facades", "light_squeezenet"],
)
def test_an_ejected_model_matches_in_every_pass(
    gl: moderngl.Context, tmp_path: Path, model: Path, layout: str, pass_count: int
) -> None:
    eject(model, tmp_path / "ejected", OpenOptions(layout))
    with pipeline.open(tmp_path / "ejected" / "pipeline.toml", context=gl) as session:
        session.run()
        report = session.compare(findings=False)
        assert session.plan.warnings == ()
    assert [each.verdict for each in report.passes] == ["match"] * pass_count


@pytest.mark.parametrize("layout", ["channel_tiles", "channel_tiles_rgba", "row_major_rgba", "tfjs_packed"])
def test_an_ejected_shader_computes_the_same_to_the_bit(gl: moderngl.Context, tmp_path: Path, layout: str) -> None:
    model = one_convolution()
    eject(model, tmp_path, OpenOptions(layout))
    with (
        pipeline.open(model, layout=layout, context=gl) as planned,
        pipeline.open(tmp_path / "pipeline.toml", context=gl) as ejected,
    ):
        planned.set_input("image", ejected.tensor("image"))
        for each in planned.plan.passes:  # in place of its form, which adds up in another order
            planned.replace_program(each.name, each.program)
        planned.run()
        ejected.run()
        for name in ("conv1", "relu1"):
            assert np.array_equal(planned.tensor(name), ejected.tensor(name))


def test_what_a_pass_looks_up_goes_along(gl: moderngl.Context, tmp_path: Path) -> None:
    """The sines and cosines of a Fourier transform are in no model."""
    files = eject(dft((1, 10, 1), 1).model(), tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in files if path.suffix == ".npy"] == [
        "tables/node_table.npy"
    ]
    with pipeline.open(tmp_path / "pipeline.toml", context=gl) as session:
        session.run()
        assert session.compare(findings=False).verdict == "match"


def test_an_ejected_shader_has_its_formula_and_no_trace_of_its_making(tmp_path: Path) -> None:
    eject(one_convolution(), tmp_path, OpenOptions("channel_tiles"))
    text = (tmp_path / "shaders" / "conv1.frag").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[0] == "#version 330 core"
    assert lines[1] == "// Conv 'conv1' makes conv1: 1 x 4 x 8 x 8 in channel_tiles"
    assert "y[n,o,y,x] = b[o] + Σ" in lines[3]
    assert "uniform sampler2D t_W;    // conv1.weight: 4 x 3 x 3 x 3 in filter_tiles" in lines
    assert not re.search(r"#line|#ifdef|#define|_shape|STRIDE|DILATION|[*/] 1\b", text)


def test_files_are_called_after_passes_whatever_those_are_called(tmp_path: Path) -> None:
    model = one_convolution()
    model.graph.node[0].name = "/a/Conv"
    model.graph.node[1].name = "a_conv"
    eject(model, tmp_path)
    assert sorted(path.name for path in (tmp_path / "shaders").iterdir()) == ["a_Conv.frag", "a_conv_2.frag"]
    assert [each.name for each in pipeline.plan_of(tmp_path / "pipeline.toml").passes] == ["/a/Conv", "a_conv"]


def test_half_precision_is_written_down(tmp_path: Path) -> None:
    eject(one_convolution(), tmp_path, OpenOptions(precision="float16"))
    plan = pipeline.plan_of(tmp_path / "pipeline.toml")
    assert {stored.storage for stored in plan.textures.values()} == {"float16"}


def test_a_model_with_weights_beside_it_becomes_one_file(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    model = one_convolution()
    onnx.save(model, source / "m.onnx", save_as_external_data=True, location="m.data", size_threshold=0)
    copy_model(source / "m.onnx", tmp_path / "copy.onnx")
    assert pipeline.plan_of(tmp_path / "copy.onnx").constant("conv1.weight") is not None


def test_a_model_that_does_not_fit_into_one_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "MAX_MESSAGE_BYTES", 100)
    with pytest.raises(TexelscopeError, match=r"expected a model of at most 100 bytes, got \d+\. Eject a part of it\."):
        copy_model(one_convolution(), tmp_path / "copy.onnx")


def test_what_fails_on_the_way_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "MAX_MESSAGE_BYTES", 100)
    with pytest.raises(TexelscopeError, match="expected a model of at most 100 bytes"):
        eject(one_convolution(), tmp_path / "ejected")
    assert not [*tmp_path.iterdir()]


def test_an_empty_folder_that_one_stands_in_stays_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    before = folder.stat().st_ino
    monkeypatch.chdir(folder)
    eject(one_convolution(), Path())
    assert folder.stat().st_ino == before
    assert (folder / "pipeline.toml").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(TexelscopeError, match="expected a new or empty folder, got one with files"):
        eject(one_convolution(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(TexelscopeError, match="expected a folder that can be written"):
        eject(one_convolution(), tmp_path / "file" / "below")


def test_a_model_that_cannot_run_whole_is_not_ejected(tmp_path: Path) -> None:
    model = one_convolution()
    model.graph.node[1].op_type = "NoSuchOperator"
    model.graph.node[1].domain = "some.where"
    model.opset_import.append(onnx.helper.make_opsetid("some.where", 1))
    with pytest.raises(TexelscopeError, match="expected a model of which every node can run, got"):
        eject(model, tmp_path / "ejected")
    assert not (tmp_path / "ejected").exists()


def test_a_shader_of_a_person_s_own_is_not_ejected(tmp_path: Path) -> None:
    (tmp_path / "x.glsl").write_text("//!HOOK MAIN\n//!BIND HOOKED\nvec4 hook() { return HOOKED_tex(HOOKED_pos); }\n")
    with pytest.raises(TexelscopeError, match=r"eject of 'x': expected a model, .*, got a pipeline of a person's own"):
        eject(tmp_path / "x.glsl", tmp_path / "ejected")
