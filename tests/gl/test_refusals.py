"""Tests errors of parts that seldom meet a user: no driver, no importer, an oracle without its inputs."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.models import array, model, node, value
from texelscope import layouts, pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.lowerings.fusion.room import format_of
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Sampler, StoredTensor
from texelscope.pipeline.sampler_kinds import SamplerKind


def test_a_machine_without_opengl_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_options: object) -> moderngl.Context:
        raise OSError("libEGL.so.1: cannot open shared object file")

    monkeypatch.setattr(moderngl, "create_context", refuse)
    message = r"OpenGL: expected a 3\.3 core context without a window, got libEGL.*object file\. Install a driver: "
    with pytest.raises(TexelscopeError, match=message):
        headless_context()


def test_a_target_that_no_importer_takes_is_told_with_the_endings() -> None:
    shaders = r"\.comp or \.compute or \.frag or \.fragment or \.fs or \.fsh or \.fx or \.glsl or \.glslf or \.hlsl"
    recorded = r"\.tfjs\.zip or \.toml or \.webgl\.zip or \.webgpu\.zip"
    endings = rf"{shaders} or \.hook or \.onnx or \.slang or \.spv or {recorded} or \.wgsl"
    message = rf"cat\.gif: expected a file ending in {endings}, got '\.gif'\. Open a model, a pipeline file or a shader"
    with pytest.raises(TexelscopeError, match=message):
        pipeline.plan_of("cat.gif")


def test_an_oracle_that_lacks_an_input_names_it() -> None:
    graph = load(model([node("Add", "a b", "y")], [value("a"), value("b")]))
    message = (
        r"oracle of 'y': expected a pass whose inputs determine its output, got 'b', an input that the pass does not"
    )
    with pytest.raises(TexelscopeError, match=message):
        GraphOracle(graph).isolated({"a": array(1, 3, 8, 8)}, "y")


def test_four_spatial_axes_are_one_too_many() -> None:
    made = model(
        [node("Conv", "x w", "y", "conv")],
        [value("x", (1, 1, 2, 2, 2, 2))],
        [value("y", None)],
        weights={"w": np.ones((1, 1, 1, 1, 1, 1), np.float32)},
    )
    (missing,) = pipeline.plan_of(made).not_run
    assert missing.reason.startswith("Conv 'conv' (net): expected one to three spatial axes, got ")


def test_a_texture_that_the_driver_has_no_room_for_is_told(gl: moderngl.Context) -> None:
    stored = StoredTensor("y", "y", (1, 1, 2**15, 2**15), layouts.layout("row_major_rgba"), "float32", "activation")
    store = TextureStore(gl)
    store.share(stored, (format_of(stored), 0))  # which is made without texels: nothing takes memory here
    message = r"texture of 'y': expected a size that the driver has room for, got GL_OUT_OF_MEMORY for 16384x16384"
    with pytest.raises(TexelscopeError, match=message):
        store.texture(stored)
    store.release()


def test_slices_that_the_driver_has_no_room_for_are_told(gl: moderngl.Context) -> None:
    stored = StoredTensor("y", "y", (1, 1, 1, 1), layouts.layout("row_major_rgba"), "float32", "activation")
    sampler = Sampler("u_y", "y", kind=SamplerKind("float", "3D"), size=(2048, 2048, 2048))
    store = TextureStore(gl)
    message = "texture of 'y': expected a sampler3D that the driver has room for, got GL_OUT_OF_MEMORY for 2048"
    with pytest.raises(TexelscopeError, match=message):
        store.sampled(stored, sampler)
    store.release()


def test_a_window_over_more_columns_than_a_text_has_lines_for_is_a_plain_pass(gl: moderngl.Context) -> None:
    made = model(
        [node("Conv", "x w", "y", dilations=[2**20, 2**20], pads=[2**19] * 4)],
        outputs=[value("y", None)],
        weights={"w": array(1, 3, 2, 2)},
    )
    with pipeline.open(made, context=gl) as session:
        session.run()
        assert session.form("y") is None
        assert session.plan.textures["y"].shape == (1, 1, 8, 8)


@pytest.mark.parametrize(("name", "advice"), [
    ("flat.VERT", "Draft it with its fragment shader: 'texelscope draft shader.vert shader.frag --to DIR'."),
    ("layer.metal", "Translate it to GLSL, and name that in a pipeline.toml: see docs/pipeline-file.md."),
    ("mine.comp", "got nothing. For example dispatch = [8, 8, 1]."),
])  # fmt: skip
def test_a_shader_that_cannot_open_alone_is_said_to_need_more(name: str, advice: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("#version 330\nvoid main() {}\n")
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(tmp_path / name)
    assert str(caught.value).endswith(advice)
