"""Tests the plan of a pipeline file: tensors, passes, uniforms, warnings, trust."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.pure.pipeline_file.folders import INPUT, PASS, plan_of, write_folder
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_file.table import PipelineFileError
from texelscope.pipeline.plan import Sampler, Tolerance
from texelscope.pipeline.quotas import Quotas, present

UNIFORMS = """\
#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D t_X;
uniform ivec2 u_grid;
uniform vec2 u_texel;
uniform float u_w[4];
uniform mat2 u_m;
uniform bool u_on;
uniform uint u_count;
uniform float u_unset;
out vec4 Y;
void main() { Y = texture(t_X, u_texel) + u_w[0] + u_m[0][0] + float(u_grid) + u_unset + float(u_on) + float(u_count); }
"""


def test_a_pass_reads_what_the_file_says(tmp_path: Path) -> None:
    toml = (
        '[pipeline]\nname = "mine"\nmodel = "model.onnx"\n'
        + INPUT
        + PASS.replace('"image"', '{ tensor = "image", filter = "linear", wrap = "repeat" }')
        + "textures.u_w = { tensor = 'conv1.weight', layout = 'filter_tiles' }\n"
        + 'tolerance = { rtol = 1e-3, atol = 1e-6 }\noracle = "image"\n'
    )
    shader = "#version 330\nuniform sampler2D t_X, u_w; out vec4 Y; void main() { Y = vec4(0); }\n"
    plan = plan_of(tmp_path, toml, copy_frag=shader)
    assert plan.name == "mine"
    assert plan.inputs == ("image",)
    assert plan.outputs == ("copy",)
    assert plan.passes[0].samplers == (
        Sampler("t_X", "image", "linear", "repeat"),
        Sampler("u_w", "conv1.weight"),
    )
    assert plan.textures["conv1.weight"].role == "constant"
    assert plan.textures["copy"].tensor == "image"
    assert plan.tolerances == {"copy": Tolerance(1e-3, 1e-6)}
    assert plan.initial_inputs["image"].shape == (1, 3, 8, 8)


def test_uniforms_have_the_numbers_and_types_that_the_shader_declares(tmp_path: Path) -> None:
    toml = (
        INPUT
        + PASS.replace("copy.frag", "u.frag")
        + 'uniforms = { u_grid = "grid(image)", u_texel = "1 / size(t_X)", u_w = [1, "grid(image)", 0.5],'
        " u_m = [[1, 0], [0, 1]], u_on = 1, u_count = 3.0 }\n"
    )
    plan = plan_of(tmp_path, toml, u_frag=UNIFORMS)
    uniforms = plan.passes[0].uniforms
    assert uniforms == {
        "u_grid": (2, 2),
        "u_texel": (1 / 16, 1 / 16),
        "u_w": (1.0, 2.0, 2.0, 0.5),
        "u_m": (1.0, 0.0, 0.0, 1.0),
        "u_on": True,
        "u_count": 3,
    }
    assert [type(number) for number in uniforms["u_grid"]] == [int, int]  # type: ignore[union-attr]
    assert plan.warnings == (
        "pipeline.toml [[pass]] 'copy': uniform 'u_unset' (u.frag:11) is not set and so is 0. "
        "Add 'uniforms.u_unset = …'.",
    )


def test_a_uniform_of_the_vertex_shader_alone_is_found_there(tmp_path: Path) -> None:
    vertex = "#version 330 core\n" + "\n" * 20 + "uniform float u_v;\nvoid main() { gl_Position = vec4(u_v); }\n"
    plan = plan_of(tmp_path, INPUT + PASS + 'vertex = "v.vert"\n', v_vert=vertex)
    assert [warning for warning in plan.warnings if "(v.vert:22) is not set" in warning]


def test_a_program_that_is_refused_is_not_checked_and_leaves_the_file_as_good_as_it_was(tmp_path: Path) -> None:
    shader = "#version 330\nuniform sampler2D t_X, t_no; out vec4 Y; void main() { Y = texture(t_no, vec2(0)); }\n"
    vertex = "#version 330\n" + " " * present().shader_bytes
    toml = INPUT + PASS + 'vertex = "v.vert"\nuniforms.u_x = 1\n'
    plan = plan_of(tmp_path, toml, copy_frag=shader, v_vert=vertex)
    assert plan.passes[0].program.refused is not None
    with pytest.raises(PipelineFileError, match="expected a texture for every sampler, got none for 't_no'"):
        plan_of(tmp_path, toml, copy_frag=shader, v_vert="#version 330\nuniform float u_x;\n")


def test_a_uniform_of_an_old_version_is_found_on_its_line(tmp_path: Path) -> None:
    shader = "#version 150\nuniform float u_x;\nuniform sampler2D t_X; out vec4 Y; void main() { Y = vec4(u_x); }\n"
    plan = plan_of(tmp_path, INPUT + PASS, copy_frag=shader)
    assert [warning for warning in plan.warnings if "(copy.frag:2) is not set" in warning]


@pytest.mark.parametrize(
    ("declaration", "value", "message"),
    [
        ("uniform uint u_x;", "-1", "expected 0 to 4294967295 for uint, got -1"),
        ("uniform int u_x;", "4e9", "expected -2147483648 to 2147483647 for int"),
        ("uniform double u_x;", "1", "expected a scalar, vector or matrix type, got double"),
        ("uniform vec2 u_x[N];", "[1, 2, 3]", "expected a multiple of 2 numbers, got 3"),
        (
            "uniform float u_x;",
            "{ a = 1 }",
            r"expected a uniform that copy\.frag has, got 'u_x\.a'\. Did you mean 'u_x'",
        ),
    ],
)
def test_a_uniform_that_cannot_be_set_so_is_refused(tmp_path: Path, declaration: str, value: str, message: str) -> None:
    shader = f"#version 430\n{declaration}\nuniform sampler2D t_X; out vec4 Y; void main() {{ Y = vec4(u_x); }}\n"
    with pytest.raises(PipelineFileError, match=message):
        plan_of(tmp_path, INPUT + PASS + f"uniforms.u_x = {value}\n", copy_frag=shader)


def test_a_uniform_behind_a_macro_is_taken_on_trust(tmp_path: Path) -> None:
    shader = (
        "#version 330\n#define U uniform\nU float u_x; U sampler2D t_X; out vec4 Y; void main() { Y = vec4(u_x); }\n"
    )
    plan = plan_of(tmp_path, INPUT + PASS + "uniforms.u_x = 2\n", copy_frag=shader)
    assert plan.passes[0].uniforms == {"u_x": 2}


def test_a_constant_takes_its_shape_from_its_file(tmp_path: Path) -> None:
    write_folder(tmp_path, "")
    np.save(tmp_path / "w.npy", np.arange(12, dtype=np.float32).reshape(3, 4))
    constant = '\n[[constant]]\nname = "w"\nsource = "w.npy"\nlayout = "row_major_rgba"\ndtype = "float16"\n'
    plan = plan_of(tmp_path, constant + INPUT + PASS.replace('"image"', '"w"'))
    assert plan.textures["w"].shape == (3, 4)
    assert plan.textures["w"].storage == "float16"
    value = plan.constant("w")
    assert value is not None
    assert value[2, 3] == 11


def test_a_pickle_in_a_constant_stays_shut(tmp_path: Path) -> None:
    write_folder(tmp_path, "")
    np.save(tmp_path / "w.npy", np.array([{"any": "object"}], dtype=object), allow_pickle=True)
    constant = '\n[[constant]]\nname = "w"\nsource = "w.npy"\nlayout = "channel_tiles"\n'
    with pytest.raises(PipelineFileError, match="expected real numbers, got object"):
        plan_of(tmp_path, constant + INPUT + PASS)


def test_a_constant_in_two_layouts_is_stored_twice(tmp_path: Path) -> None:
    shader = "#version 330\nuniform sampler2D t_X, t_Y; out vec4 Y; void main() { Y = vec4(0); }\n"
    textures = "".join(
        f"textures.{name} = {{ tensor = 'conv1.bias', layout = '{layout}' }}\n"
        for name, layout in (("t_X", "channel_tiles"), ("t_Y", "row_major_rgba"))
    )
    toml = "[pipeline]\nmodel = 'model.onnx'\n" + INPUT + PASS.replace('textures.t_X = "image"\n', textures)
    plan = plan_of(tmp_path, toml, copy_frag=shader)
    assert [sampler.key for sampler in plan.passes[0].samplers] == ["conv1.bias", "conv1.bias@row_major_rgba"]


def test_a_pass_knows_the_nodes_that_it_covers(tmp_path: Path) -> None:
    each = PASS.replace("[1, 3, 8, 8]", "[1, 4, 8, 8]").replace('"copy"', '"relu1"')
    plan = plan_of(tmp_path, "[pipeline]\nmodel = 'model.onnx'\n" + INPUT + each)
    assert plan.passes[0].nodes == ("conv1", "relu1")
    assert plan.passes[0].operator == "Conv+Relu"


def test_what_is_not_compared_is_said(tmp_path: Path) -> None:
    head = "[pipeline]\nmodel = 'model.onnx'\n"
    plan = plan_of(tmp_path, head + INPUT.replace('"image"', '"imag"') + PASS.replace('"image"', '"imag"'))
    assert plan.warnings == (
        "pipeline.toml [[pass]] 'copy': not compared, model.onnx has no tensor 'copy'. "
        "Set 'oracle'. Valid: conv1, conv1.bias, conv1.weight, image, relu1.",
        "pipeline.toml: input 'image' of model.onnx has no [[input]], so that nothing is compared end to end.",
    )


def test_an_input_that_does_not_lead_to_the_oracle_is_said(tmp_path: Path) -> None:
    each = PASS.replace("[1, 3, 8, 8]", "[1, 4, 8, 8]").replace('textures.t_X = "image"', 'oracle = "relu1"')
    shader = "#version 330\nout vec4 Y; void main() { Y = vec4(0); }\n"
    plan = plan_of(tmp_path, "[pipeline]\nmodel = 'model.onnx'\n" + INPUT + each, copy_frag=shader)
    assert "expected a pass whose inputs determine its output, got 'image'" in plan.warnings[0]


def test_code_is_not_trusted_unless_one_says_so(tmp_path: Path) -> None:
    code = "import pathlib\npathlib.Path(__file__ + '.ran').touch()\ndef copy(t_X): return t_X\n"
    path = write_folder(tmp_path, "[pipeline]\noracle = 'mine.py'\n" + INPUT + PASS, mine_py=code)
    plan = pipeline.plan_of(path)
    assert plan.oracle_file is not None
    assert not plan.oracle_file.trusted
    assert plan.warnings == ("mine.py is code and was not run; trust it (--trust) to compare.",)
    assert pipeline.plan_of(path, trust=True).oracle_file.trusted  # type: ignore[union-attr]
    assert pipeline.plan_of(path, trust={plan.oracle_file.digest}).oracle_file.trusted  # type: ignore[union-attr]
    (tmp_path / "mine.py").write_text(code + "# another\n", encoding="utf-8")
    assert not pipeline.plan_of(path, trust={plan.oracle_file.digest}).oracle_file.trusted  # type: ignore[union-attr]
    assert not [*tmp_path.glob("*.ran")]


def test_eight_attachments_are_enough_for_everybody(tmp_path: Path) -> None:
    outputs = ", ".join(f'{{ name = "o{i}", shape = [1, 3, 8, 8], layout = "channel_tiles" }}' for i in range(9))
    each = PASS.replace('{ shape = [1, 3, 8, 8], layout = "channel_tiles" }', f"[{outputs}]")
    with pytest.raises(PipelineFileError, match="expected at most 8 colour attachments on this driver, got 9"):
        plan_of(tmp_path, INPUT + each)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "pipeline.toml: expected UTF-8 text, got byte 0 is not"),
        (b" " * (Quotas().text_bytes + 1), "expected at most 4,194,304 text bytes, got 4,194,305"),
        (b"a = " + b"[" * 5000, "pipeline.toml: expected at most 100 text depth, got 101"),
        (b"a = " + b"9" * 5000, "pipeline.toml: expected at most 100 number digits, got 5,000"),
        (b"a = [", "pipeline.toml: expected TOML, got"),
    ],
)
def test_a_file_that_is_no_toml_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "pipeline.toml"
    path.write_bytes(content)
    with pytest.raises(TexelscopeError, match=message):
        pipeline.plan_of(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"none\.toml: expected a pipeline file, got no such file"):
        pipeline.plan_of(tmp_path / "none.toml")


def test_shapes_of_a_pipeline_file_are_its_own(tmp_path: Path) -> None:
    path = write_folder(tmp_path, INPUT + PASS)
    with pytest.raises(TexelscopeError, match=r"--shape image: expected a model, got 'pipeline\.toml'"):
        pipeline.plan_of(path, shapes={"image": (1, 3, 8, 8)})


def test_a_folder_in_place_of_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    message = r"folder\.toml: expected a readable pipeline file, got a folder\. Check the path\."
    with pytest.raises(TexelscopeError, match=message):
        pipeline.plan_of(tmp_path / "folder.toml")


def test_shapes_from_outside_are_for_models(tmp_path: Path) -> None:
    message = r"--shape image: expected a model, got 'p\.toml', which sets its own shapes\. Change 'shape' there\."
    with pytest.raises(TexelscopeError, match=message):
        pipeline.plan_of(tmp_path / "p.toml", shapes={"image": (1, 3, 8, 8)})


def test_a_layouts_table_names_the_layout(tmp_path: Path) -> None:
    nameless = INPUT.replace('layout = "channel_tiles"', "layout = { width = 256 }")
    message = r"layout: expected a table with the layout's name, got \{'width': 256\}\. Valid: .*channel_tiles, "
    with pytest.raises(PipelineFileError, match=message):
        plan_of(tmp_path, nameless + PASS)
