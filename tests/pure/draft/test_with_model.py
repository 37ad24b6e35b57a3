"""A draft with a model follows what a person binds, and finds weights in uniforms and the numbers of nodes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from tests.brought.models import ModelText
from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.fields import Certainty, DraftFile
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.planned_draft import drafted_request, planned_draft
from texelscope.pipeline.target import OpenOptions

HEAD = "#version 330\nout vec4 result;\n"
MODEL = {"pipeline.model": "model.onnx"}


def layer() -> onnx.ModelProto:
    """Returns x [1, 4, 8, 8] → Conv of 4 outputs, stride 1, pad 1 → y, with weights `w` and `b`."""
    text = ModelText("x", (1, 4, 8, 8))
    weight, bias = text.constant(np.ones((4, 4, 3, 3)), "w"), text.constant(np.ones(4), "b")
    return text.model(text.node("Conv", "x", weight, bias, pads=[1, 1, 1, 1], name="y"))


def draft(folder: Path, text: str, typed: Mapping[str, str] = MODEL) -> DraftFile:
    (folder / "s.frag").write_text(HEAD + text)
    onnx.save(layer(), folder / "model.onnx")
    return drafted_request(folder / "s.frag", OpenOptions(dialect=typed)).draft


def values(made: DraftFile) -> dict[str, Any]:
    return tomllib.loads(document(made, ["s.frag"]))


READS = "void main() { result = texelFetch(u_p, ivec2(0), 0) + texelFetch(u_q, ivec2(0), 0); }\n"


def test_a_sampler_without_a_guess_is_asked_for_and_noise_stands_in(tmp_path: Path) -> None:
    made = draft(tmp_path, f"uniform sampler2D u_p, u_q;\n{READS}")
    assert [each.key for each in made.of_kind("pass")[0].fields if each.certainty is Certainty.ASKED] == [
        "textures.u_p", "textures.u_q",
    ]  # fmt: skip
    runnable = values(made.runnable())
    assert runnable["pass"][0]["textures"] == {"u_p": "s_p_unknown", "u_q": "s_q_unknown"}
    assert {each["name"] for each in runnable["input"]} == {"x", "s_p_unknown", "s_q_unknown"}


def test_what_a_person_binds_leaves_the_rest_to_the_others(tmp_path: Path) -> None:
    made = draft(tmp_path, f"uniform sampler2D u_p, u_q;\n{READS}", {**MODEL, "s.textures.u_p": "w"})
    bound = values(made)["pass"][0]["textures"]
    assert bound == {"u_p": {"tensor": "w", "layout": "channel_tiles_rgba"}, "u_q": "x"}


def test_an_array_of_a_file_becomes_a_constant(tmp_path: Path) -> None:
    made = draft(tmp_path, f"uniform sampler2D u_p, u_q;\n{READS}", {**MODEL, "s.textures.u_q": "maps/rows.npy"})
    assert values(made)["constant"] == [{"name": "rows", "source": "maps/rows.npy", "layout": "channel_tiles"}]
    assert values(made)["pass"][0]["textures"] == {"u_p": "x", "u_q": "rows"}


def test_an_array_of_uniforms_holds_the_weights_that_have_as_many_numbers(tmp_path: Path) -> None:
    made = draft(
        tmp_path,
        "uniform sampler2D u_x;\nuniform mat4 taps[9];\nuniform vec4 first;\nuniform vec2 u_stride;\n"
        "void main() { result = taps[0] * texelFetch(u_x, ivec2(u_stride), 0) + first; }\n",
    )
    assert values(made)["pass"][0]["uniforms"] == {
        "taps": {"tensor": "w", "layout": "linear"}, "first": {"tensor": "b", "layout": "linear"}, "u_stride": [1, 1],
    }  # fmt: skip


def test_an_input_that_no_sampler_reads_is_an_input_of_the_draft(tmp_path: Path) -> None:
    made = draft(tmp_path, "void main() { result = vec4(gl_FragCoord.xy, 0.0, 0.0); }\n", MODEL | {"x.source": "ramp"})
    assert values(made)["input"][0] == {
        "name": "x", "shape": [1, 4, 8, 8], "layout": "channel_tiles_rgba", "source": "ramp",
    }  # fmt: skip
    plan = planned_draft(tmp_path / "s.frag", OpenOptions(dialect=MODEL))
    assert plan.passes[0].computed_inputs == ("x",)


def test_a_sampler_of_a_state_reads_the_frame_before_if_the_models_output_is_as_large(tmp_path: Path) -> None:
    made = draft(tmp_path, "uniform sampler2D u_state;\nvoid main() { result = texelFetch(u_state, ivec2(0), 0); }\n")
    assert values(made)["pass"][0]["textures"]["u_state"] == {"previous": "s", "first": "x"}
    assert values(made)["pipeline"]["frames"] == 60


def test_a_switch_that_is_turned_on_is_defined(tmp_path: Path) -> None:
    text = "uniform sampler2D u_x;\n#ifdef GAIN\nuniform float k;\n#else\n#define k 1.0\n#endif\n"
    text += "void main() { result = k * texelFetch(u_x, ivec2(0), 0); }\n"
    assert values(draft(tmp_path, text))["pass"][0]["defines"] == {"GAIN": False}
    made = draft(tmp_path, text, {**MODEL, "s.defines.GAIN": "true"})
    assert values(made)["pass"][0]["uniforms"] == {"k": "?"}
    assert values(made)["pass"][0]["defines"] == {"GAIN": True}


def test_shaders_that_are_named_beside_the_opened_one_are_passes(tmp_path: Path) -> None:
    (tmp_path / "t.frag").write_text(f"{HEAD}void main() {{ result = vec4(1.0); }}\n")
    made = draft(tmp_path, "void main() { result = vec4(1.0); }\n", {"pipeline.shaders": "t.frag"})
    assert [each["name"] for each in values(made)["pass"]] == ["s", "t"]


def test_a_shader_beside_the_opened_one_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"expected a file, got none of that name"):
        draft(tmp_path, "void main() { result = vec4(1.0); }\n", {"pipeline.shaders": "u.frag"})


def clipped() -> onnx.ModelProto:
    """Returns x [1, 4, 8, 8] → Conv `s` → Clip `act`, and both in one shader."""
    text = ModelText("x", (1, 4, 8, 8))
    summed = text.node("Conv", "x", text.constant(np.ones((4, 4, 1, 1)), "w"), name="s")
    return text.model(text.node("Relu", summed, name="act"))


def test_the_last_shader_computes_the_models_output_even_if_it_forgets_the_activation(tmp_path: Path) -> None:
    (tmp_path / "s.frag").write_text(
        f"{HEAD}uniform sampler2D u_x;\nvoid main() {{ result = texelFetch(u_x, ivec2(0), 0); }}\n"
    )
    onnx.save(clipped(), tmp_path / "model.onnx")
    made = drafted_request(tmp_path / "s.frag", OpenOptions(dialect=MODEL)).draft
    assert values(made)["pass"][0]["oracle"] == "act"


def test_a_tensor_that_a_person_gives_to_a_pass_has_its_shape_and_its_inputs(tmp_path: Path) -> None:
    (tmp_path / "any.frag").write_text(
        f"{HEAD}uniform sampler2D u_t;\nvoid main() {{ result = texelFetch(u_t, ivec2(0), 0); }}\n"
    )
    (tmp_path / "other.frag").write_text(
        f"{HEAD}uniform sampler2D u_t;\nvoid main() {{ result = texelFetch(u_t, ivec2(0), 0); }}\n"
    )
    onnx.save(clipped(), tmp_path / "model.onnx")
    typed = {**MODEL, "pipeline.shaders": "other.frag", "any.oracle": "s", "other.oracle": "act"}
    made = drafted_request(tmp_path / "any.frag", OpenOptions(dialect=typed)).draft
    first, second = values(made)["pass"]
    assert first["textures"] == {"u_t": "x"}
    assert second["textures"] == {"u_t": "any"}
    assert second["output"]["shape"] == [1, 4, 8, 8]


def test_an_array_whose_length_is_a_macro_holds_weights_too(tmp_path: Path) -> None:
    text = "#define COUNT 4\nuniform float offset[COUNT];\nvoid main() { result = vec4(offset[0]); }\n"
    assert values(draft(tmp_path, text))["pass"][0]["uniforms"] == {"offset": {"tensor": "b", "layout": "linear"}}


def test_indices_of_a_model_have_no_source_and_so_lie_inside_what_they_index(tmp_path: Path) -> None:
    nodes = [onnx.helper.make_node("Gather", ["table", "at"], ["y"], name="y")]
    at = onnx.helper.make_tensor_value_info("at", onnx.TensorProto.INT64, [8, 8])
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [8, 8])
    table = onnx.numpy_helper.from_array(np.arange(9, dtype=np.float32), "table")
    graph = onnx.helper.make_graph(nodes, "g", [at], [y], [table])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), tmp_path / "model.onnx")
    text = "uniform isampler2D at;\nuniform sampler2D table;\n"
    text += "void main() { result = texelFetch(table, ivec2(texelFetch(at, ivec2(gl_FragCoord.xy), 0).r, 0), 0); }\n"
    (tmp_path / "s.frag").write_text(HEAD + text)
    made = drafted_request(tmp_path / "s.frag", OpenOptions(dialect=MODEL)).draft
    assert [each.key for each in made.of_kind("input")[0].fields] == ["name", "shape", "layout"]


def test_a_uniform_with_the_last_word_of_a_bound_sampler_keeps_its_value(tmp_path: Path) -> None:
    text = "struct Light { float q; };\nuniform Light light;\nuniform sampler2D q;\n"
    text += "void main() { result = light.q * texelFetch(q, ivec2(0), 0); }\n"
    made = draft(tmp_path, text, {**MODEL, "s.textures.q": "x", "s.uniforms.light.q": "2"})
    assert values(made)["pass"][0]["textures"] == {"q": "x"}
    assert values(made)["pass"][0]["uniforms"]["light"] == {"q": 2}
