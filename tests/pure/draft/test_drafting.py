"""A draft says what shaders declare, guesses with a reason, and asks for the rest."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftRequest, drafted
from texelscope.pipeline.draft.fields import Certainty, DraftFile
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.planned_draft import declared_in

HEAD = "#version 330\nuniform sampler2D u_image;\nout vec4 result;\n"
READ = "texelFetch(u_image, ivec2(gl_FragCoord.xy), 0)"


def draft(folder: Path, request: DraftRequest | None = None, **texts: str) -> DraftFile:
    """Drafts files of these texts, `a__frag` for `a.frag`, in order."""
    files = []
    for name, text in texts.items():
        path = folder / name.replace("__", ".")
        path.write_text(text, encoding="utf-8")
        files.append(path)
    return drafted(declared_in(files), None, request or DraftRequest())


def values(made: DraftFile) -> dict[str, Any]:
    return tomllib.loads(document(made, ["a.frag"]))


def test_a_texel_of_one_number_is_a_channel_and_of_four_a_group(tmp_path: Path) -> None:
    one = draft(tmp_path, one__frag=f"{HEAD}void main() {{ result = vec4(max({READ}.r, 0.0), 0.0, 0.0, 1.0); }}")
    four = draft(tmp_path, four__frag=f"{HEAD}void main() {{ result = {READ}; }}")
    assert values(one)["pass"][0]["output"] == {"shape": [1, 1, 64, 64], "layout": "channel_tiles"}
    assert values(four)["pass"][0]["output"] == {"shape": [1, 4, 64, 64], "layout": "channel_tiles_rgba"}


def test_a_uniform_without_a_guess_is_asked_for_and_says_what_is_expected(tmp_path: Path) -> None:
    made = draft(tmp_path, a__frag=f"{HEAD}uniform float u_gain;\nvoid main() {{ result = u_gain * {READ}; }}")
    assert made.count(Certainty.ASKED) == 1
    assert 'uniforms.u_gain = "?"' in document(made, ["a.frag"])
    assert "# missing: float: a number, an array or an expression" in document(made, ["a.frag"])


def test_a_sampler_named_after_a_pass_reads_it_whatever_the_order_of_the_files(tmp_path: Path) -> None:
    second = HEAD.replace("u_image", "u_blur") + f"void main() {{ result = {READ.replace('u_image', 'u_blur')}; }}"
    made = draft(tmp_path, sharp__frag=second, blur__frag=f"{HEAD}void main() {{ result = {READ}; }}")
    assert [each["name"] for each in values(made)["pass"]] == ["blur", "sharp"]
    assert values(made)["pass"][1]["textures"] == {"u_blur": "blur"}
    assert [each["name"] for each in values(made)["input"]] == ["image"]


def test_what_names_do_not_say_follows_the_order_of_the_files(tmp_path: Path) -> None:
    text = f"{HEAD}void main() {{ result = {READ}; }}"
    made = draft(tmp_path, first__frag=text, second__frag=text)
    assert values(made)["pass"][0]["textures"] == {"u_image": "image"}
    assert values(made)["pass"][1]["textures"] == {"u_image": "first"}


def test_a_sampler_of_a_state_reads_the_frame_before_and_another_pass_reads_the_state(tmp_path: Path) -> None:
    own = HEAD.replace("u_image", "u_state") + f"void main() {{ result = {READ.replace('u_image', 'u_state')}; }}"
    made = values(draft(tmp_path, life__frag=own, present__frag=own.replace("u_state", "u_life")))
    assert made["pipeline"]["frames"] == 60
    assert made["pass"][0]["textures"] == {"u_state": {"previous": "life", "first": "state"}}
    assert made["pass"][1]["textures"] == {"u_life": "life"}
    assert [each["name"] for each in made["input"]] == ["state"]


def test_each_entry_point_of_another_language_is_a_pass(tmp_path: Path) -> None:
    kernel = "[numthreads(8, 8, 1)]\nvoid {}(uint3 id : SV_DispatchThreadID) {{ To[id.x] = From[id.x] * {}; }}\n"
    text = "StructuredBuffer<float> From;\nRWStructuredBuffer<float> To;\n"
    made = draft(tmp_path, two__compute=text + kernel.format("Half", "0.5") + kernel.format("Double", "2"))
    passes = values(made)["pass"]
    assert [(each["name"], each["shader"], each["entry"]) for each in passes] == [
        ("Half", "two.compute", "Half"), ("Double", "two.compute", "Double"),
    ]  # fmt: skip
    assert [each["buffers"] for each in passes] == [{"From": "from", "To": "Half"}, {"From": "Half", "To": "Double"}]
    assert document(made, ["two.compute", "two.compute"]).startswith("# Drafted from two.compute. ")


def test_a_compute_shader_has_its_blocks_and_a_dispatch_by_its_work_group(tmp_path: Path) -> None:
    made = draft(
        tmp_path,
        relu__comp="""\
#version 430
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Input { float x[]; };
layout(std430, binding = 1) buffer Output { float y[]; };
void main() { y[gl_GlobalInvocationID.x] = max(x[gl_GlobalInvocationID.x], 0.0); }
""",
    )
    (shader_pass,) = values(made)["pass"]
    assert shader_pass["buffers"] == {"Input": "input", "Output": "relu"}
    assert shader_pass["dispatch"] == ["count(relu) / 64"]
    assert values(made)["input"][0]["layout"] == "linear"


def test_a_shape_of_the_command_line_is_stated_and_its_neighbours_follow(tmp_path: Path) -> None:
    request = DraftRequest(outputs={"a": (1, 8, 10, 12)})
    made = draft(tmp_path, request, a__frag=f"{HEAD}void main() {{ result = {READ}; }}")
    assert values(made)["pass"][0]["output"]["shape"] == [1, 8, 10, 12]
    assert values(made)["input"][0]["shape"] == [1, 8, 10, 12]


def test_a_name_that_the_draft_lacks_is_refused_with_the_nearest(tmp_path: Path) -> None:
    text = f"{HEAD}void main() {{ result = {READ}; }}"
    with pytest.raises(TexelscopeError, match=r"--output blurr: expected a pass of the draft.*Did you mean 'blur'"):
        draft(tmp_path, DraftRequest(outputs={"blurr": (1, 1, 4, 4)}), blur__frag=text, sharp__frag=text)


def test_a_vertex_shader_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match="expected a fragment or compute shader, got a vertex shader alone"):
        draft(tmp_path, a__vert="#version 330\nvoid main() { gl_Position = vec4(0.0); }")


def test_a_vertex_shader_joins_the_fragment_shader_of_its_name(tmp_path: Path) -> None:
    vertex = "#version 330\nin vec2 at;\nvoid main() { gl_Position = vec4(at, 0.0, 1.0); }"
    made = draft(tmp_path, a__frag=f"{HEAD}void main() {{ result = {READ}; }}", a__vert=vertex)
    assert values(made)["pass"][0]["vertex"] == "a.vert"


def test_values_of_a_person_replace_fields_and_add_others(tmp_path: Path) -> None:
    made = draft(tmp_path, a__frag=f"{HEAD}uniform float u_gain;\nvoid main() {{ result = u_gain * {READ}; }}")
    given = {"a.uniforms.u_gain": "2", "image.source": "checker:8", "a.defines.FAST": "true"}
    found = values(made.with_values(given))
    assert found["pass"][0]["uniforms"] == {"u_gain": 2}
    assert found["pass"][0]["defines"] == {"FAST": True}
    assert found["input"][0]["source"] == "checker:8"
    with pytest.raises(TexelscopeError, match=r"expected TABLE\.KEY, with a table of pipeline, image, a, got 'b\.x'"):
        made.with_values({"b.x": "1"})
