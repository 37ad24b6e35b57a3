"""The blocks of a file become passes in the order of mpv's renderer, with sizes and names as mpv has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.dialects.mpv.build import build
from texelscope.pipeline.dialects.mpv.network.of_plan import judged_by_itself, network_of_plan
from texelscope.pipeline.dialects.mpv.parse import parse
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.dialects.mpv.settings import with_parameters
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.importers.mpv_shader import shader_plan
from texelscope.pipeline.target import OpenOptions

BODY = "vec4 hook() { return vec4(0.0); }\n"
NETWORK = f"""//!HOOK LUMA
//!BIND LUMA
//!SAVE a
//!COMPONENTS 4
{BODY}
//!HOOK LUMA
//!BIND a
//!SAVE a
//!COMPONENTS 2
{BODY}
//!HOOK LUMA
//!BIND a
//!BIND HOOKED
//!WIDTH LUMA.w 2 *
//!HEIGHT LUMA.h 2 *
//!WHEN OUTPUT.w LUMA.w / 1.2 >
{BODY}"""


def _plan(text: str, shapes: Mapping[str, Shape] | None = None, limits: Limits | None = None) -> ShaderPlan:
    return build(parse(text, "x.glsl"), shapes or {}, "float32", limits or Limits())


def _reads(plan: ShaderPlan) -> list[list[tuple[str, str]]]:
    return [[(sampler.uniform, sampler.key) for sampler in each.samplers] for each in plan.passes]


def test_a_name_that_is_saved_again_is_another_tensor() -> None:
    plan = _plan(NETWORK, {"LUMA": (1, 1, 6, 8)})
    assert [each.name for each in plan.passes] == ["a", "a#2", "LUMA#2"]
    assert _reads(plan) == [[("LUMA_raw", "LUMA")], [("a_raw", "a")], [("a_raw", "a#2"), ("LUMA_raw", "LUMA")]]
    assert {key: each.shape for key, each in plan.textures.items()} == {
        "LUMA": (1, 1, 6, 8), "a": (1, 4, 6, 8), "a#2": (1, 2, 6, 8), "LUMA#2": (1, 1, 12, 16),
    }  # fmt: skip
    assert (plan.inputs, plan.outputs) == (("LUMA",), ("LUMA#2",))
    assert [plan.textures[key].layout.lanes for key in ("LUMA", "a", "a#2")] == [1, 4, 4]


def test_a_block_whose_condition_is_0_is_left_out_and_its_condition_told() -> None:
    plan = _plan(NETWORK, {"LUMA": (1, 1, 6, 8), "OUTPUT": (1, 3, 6, 8)})
    assert plan.outputs == ("LUMA",)
    assert plan.warnings == ("x.glsl:13: skipped: WHEN OUTPUT.w LUMA.w / 1.2 > is 0 (LUMA 8x6, OUTPUT 8x6).",)


def test_the_window_is_of_a_size_at_which_blocks_run() -> None:
    plan = _plan(f"//!HOOK MAIN\n//!WHEN OUTPUT.w MAIN.w 4 * =\n{BODY}")
    assert plan.passes
    assert plan.warnings == (
        "x.glsl: OUTPUT is 512x512, at which blocks run; --shape OUTPUT=1,3,HEIGHT,WIDTH gives another.",
    )


def test_what_reads_a_skipped_block_s_texture_is_skipped_too() -> None:
    text = f"//!HOOK MAIN\n//!SAVE a\n//!WHEN 0\n{BODY}\n//!HOOK MAIN\n//!DESC two\n//!BIND a\n{BODY}\n"
    plan = _plan(f"{text}//!HOOK MAIN\n{BODY}")
    assert [each.name for each in plan.passes] == ["MAIN#2"]
    assert plan.warnings == (
        "x.glsl:1: skipped: WHEN 0 is 0.",
        "x.glsl:6 (two): skipped: 'a' is not there, the block of line 1 is skipped.",
    )


def test_a_video_s_planes_come_of_a_picture_and_become_one_again() -> None:
    text = f"//!HOOK CHROMA\n//!BIND LUMA\n//!BIND HOOKED\n//!WIDTH LUMA.w\n//!HEIGHT LUMA.h\n{BODY}"
    plan = _plan(text, {"picture": (1, 3, 5, 7)})
    assert [each.name for each in plan.passes] == ["LUMA", "CHROMA", "CHROMA#2", "MAIN"]
    assert plan.textures["CHROMA"].shape == (1, 2, 3, 4)
    assert plan.textures["CHROMA#2"].shape == (1, 2, 5, 7)
    assert plan.textures[plan.outputs[0]].shape == (1, 3, 5, 7)


def test_hook_points_come_in_the_renderer_s_order() -> None:
    text = f"//!HOOK POSTKERNEL\n//!BIND PREKERNEL\n{BODY}\n//!HOOK MAIN\n//!BIND NATIVE\n//!BIND MAIN\n{BODY}"
    plan = _plan(text, {"MAIN": (1, 3, 4, 4)})
    assert [each.name for each in plan.passes] == ["MAIN#2", "POSTKERNEL", "POSTKERNEL#2"]
    assert _reads(plan) == [[("NATIVE_raw", "MAIN")], [("PREKERNEL_raw", "MAIN#2")], [("PREKERNEL_raw", "MAIN#2")]]
    assert plan.textures["POSTKERNEL"].shape == (1, 3, 8, 8)


def test_a_hook_point_that_is_not_come_to_is_said() -> None:
    plan = _plan(f"//!HOOK ALPHA\n//!HOOK MAIN\n{BODY}")
    assert plan.warnings == ("x.glsl:1: skipped: ALPHA is not reached: the picture has no alpha.",)


def test_a_parameter_is_a_uniform_with_its_initial_value() -> None:
    text = "//!PARAM p\n//!TYPE float\n0.25\n//!HOOK MAIN\nvec4 hook() { return vec4(p * float(frame)); }\n"
    assert dict(_plan(text).passes[0].uniforms) == {"p": 0.25, "frame": 0}


def test_the_program_holds_the_body_on_the_author_s_lines() -> None:
    plan = _plan("// one\n//!HOOK MAIN\n#extension GL_X : enable\nvec4 hook() { return vec4(1.0); }\n")
    program = plan.passes[0].program
    lines = program.fragment.split("\n")
    assert lines[1] == "#extension GL_X : enable"  # before all else, which compilers of OpenGL want
    at = lines.index("#line 100003 1")
    assert lines[at + 1 : at + 3] == ["", "vec4 hook() { return vec4(1.0); }"]
    assert program.files[0].text.startswith("// one\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"//!HOOK MAIN\n//!BIND b\n//!SAVE a\n{BODY}//!HOOK MAIN\n//!BIND a\n//!SAVE b\n{BODY}",
            "x.glsl:2: expected a texture that an earlier block saves, got 'b', which the block of line 5 saves, after",
        ),
        (
            f"//!HOOK MAIN\n//!BIND a\n//!SAVE a\n{BODY}",
            "x.glsl:2: expected a texture that an earlier block saves, got 'a', which this block itself saves",
        ),
        (
            f"//!HOOK MAIN\n//!BIND conv2d_1\n{BODY}//!HOOK MAIN\n//!SAVE conv2d_1_tf\n{BODY}",
            "x.glsl:2: expected a texture that some block saves, or a plane, got 'conv2d_1'. Did you mean",
        ),
        (
            f"//!HOOK MAIN\n//!BIND POSTKERNEL\n{BODY}",
            "x.glsl:2: expected a picture that is there when mpv comes to MAIN, got 'POSTKERNEL'.",
        ),
        (f"//!HOOK MAIN\n//!WIDTH OTHER.w\n{BODY}", "x.glsl:2: expected the size of a texture that is there when this"),
        (f"//!HOOK MAIN\n//!WIDTH 0\n{BODY}", "x.glsl:2: expected a picture of 1 to 16384 texels along each"),
        (
            f"//!HOOK MAIN\n//!WHEN 0\n{BODY}",
            "x.glsl: expected a block that runs, got none: x.glsl:1: skipped: WHEN 0 is 0. Correct the condition",
        ),
        (
            f"//!HOOK MAIN\n//!WHEN MAIN.w 0 =\n{BODY}",
            "skipped: WHEN MAIN.w 0 = is 0 (MAIN 128x128). Give --shape MAIN=1,3,HEIGHT,WIDTH.",
        ),
        (
            f"//!HOOK ALPHA\n{BODY}",
            "skipped: ALPHA is not reached: the picture has no alpha. Hook a plane that is reached, such as MAIN.",
        ),
        (
            f"//!HOOK MAIN\n//!BIND t\n{BODY}//!TEXTURE t\n//!SIZE 1\n//!FORMAT r8\nff\n",
            "x.glsl:4: expected a //!TEXTURE of two or three dimensions, got 1.",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_put_together_is_one_line(text: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as error:
        _plan(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"LUMA": (1, 1, 4, 4)}, "--shape LUMA: expected MAIN or OUTPUT, which x.glsl has, got 'LUMA'."),
        ({"MAIN": (1, 1, 4, 4)}, "--shape MAIN: expected 1,3,HEIGHT,WIDTH, got 1,1,4,4."),
        ({"OUTPUT": (4, 4)}, "--shape OUTPUT: expected 1,3,HEIGHT,WIDTH, got 4,4."),
    ],
)
def test_a_shape_of_something_else_is_refused(shapes: Mapping[str, Shape], message: str) -> None:
    with pytest.raises(TexelscopeError) as error:
        _plan(f"//!HOOK MAIN\n{BODY}", shapes)
    assert message in str(error.value)


def test_planes_that_nothing_hooks_have_the_sizes_of_the_picture_s() -> None:
    text = "//!HOOK NATIVE\n//!WIDTH LUMA.w 2 *\n//!HEIGHT CHROMA.h 4 *\n//!WHEN CHROMA.w LUMA.w <\n"
    plan = _plan(f"{text}{BODY}", {"MAIN": (1, 3, 5, 7)})
    assert plan.textures[plan.outputs[0]].shape == (1, 3, 12, 14)


@pytest.mark.parametrize(
    ("text", "skipped", "advice"),
    [
        (
            f"//!PARAM p\n//!TYPE int\n//!MINIMUM -1\n//!MAXIMUM 2\n0\n//!HOOK MAIN\n//!WHEN p\n{BODY}",
            "x.glsl:6: skipped: WHEN p is 0 (p 0).",
            "Give --param p=NUMBER, with a whole number from -1 to 2.",
        ),
        (
            f"//!PARAM p\n//!TYPE float\n0.5\n//!HOOK MAIN\n//!WHEN OUTPUT.w 9 < p 1 > *\n{BODY}",
            "x.glsl:4: skipped: WHEN OUTPUT.w 9 < p 1 > * is 0 (OUTPUT 256x256, p 0.5).",
            "Give --param p=NUMBER, with a number, or --shape OUTPUT=1,3,HEIGHT,WIDTH.",
        ),
        (
            f"//!PARAM p\n//!TYPE ENUM int\nOFF\nON\n//!HOOK LUMA\n//!WHEN p ON = LUMA.w 500 > *\n{BODY}",
            "x.glsl:5: skipped: WHEN p ON = LUMA.w 500 > * is 0 (LUMA 128x128, ON 1, p 0).",
            "Give --param p=NUMBER, with one of OFF, ON, or --shape LUMA=1,1,HEIGHT,WIDTH.",
        ),
    ],
)  # fmt: skip
def test_a_picture_that_a_parameter_leaves_alone_is_copied_and_the_log_says_how_to_change_it(
    text: str, skipped: str, advice: str
) -> None:
    plan = _plan(text)
    (copy,) = plan.passes
    assert plan.warnings == (skipped, f"x.glsl: no block runs. {advice}")
    assert plan.textures[copy.output].shape == plan.textures[plan.inputs[0]].shape
    assert judged_by_itself(plan).unjudged == {copy.output: "No block of the file runs."}
    with pytest.raises(TexelscopeError, match="a block that runs, got none: every condition"):
        network_of_plan(plan)


def test_blocks_run_beside_one_that_a_parameter_turns_off() -> None:
    parameter = "//!PARAM p\n//!TYPE uint\n0\n"
    plan = _plan(f"{parameter}//!HOOK MAIN\n//!WHEN p\n{BODY}//!HOOK MAIN\n//!WHEN p 0 ==\n{BODY}")
    assert [each.name for each in plan.passes] == ["MAIN#2"]
    assert plan.warnings == ("x.glsl:4: skipped: WHEN p is 0 (p 0).",)


HALVES = "//!HOOK MAIN\n//!BIND MAIN\n{}vec4 hook() {{ return {}(MAIN_tex(MAIN_pos)); }}\n"
ASKED = "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
WARNED = ("x.glsl:1: half floats are computed as 32-bit floats: this driver has no types for them.",)


@pytest.mark.parametrize(
    ("before", "word", "extensions", "is_replaced"),
    [
        (ASKED, "f16vec4", (), True),
        ("", "f16vec4", (), True),
        (f"{ASKED}#define V4 f16vec4\n", "V4", (), True),
        (f"{ASKED}#ifdef {ASKED.split()[1]}\n#define V4 f16vec4\n#else\n#define V4 vec4\n#endif\n", "V4", (), False),
        (ASKED, "f16vec4", (ASKED.split()[1],), False),
        (ASKED, "f16vec4", ("GL_AMD_gpu_shader_half_float",), True),
        (f"{ASKED}// f16vec4\n", "vec4", (), False),
    ],
)  # fmt: skip
def test_halves_are_floats_where_the_driver_lacks_them(
    before: str, word: str, extensions: tuple[str, ...], is_replaced: bool
) -> None:
    plan = _plan(HALVES.format(before, word), limits=Limits(extensions=frozenset(extensions)))
    text = plan.passes[0].program.fragment
    assert plan.warnings == (WARNED if is_replaced else ())
    assert ("#define f16vec4 vec4" in text) == is_replaced
    assert (ASKED in text) == (bool(before) and not is_replaced)


PARAMETERS = """//!PARAM a
//!TYPE int
//!MINIMUM -3
//!MAXIMUM 3
1

//!PARAM b
//!TYPE ENUM DEFINE
OFF
ON

//!HOOK MAIN
//!WHEN b
vec4 hook() { return vec4(float(a * b)); }
"""


def test_parameters_are_set_by_name() -> None:
    shader = with_parameters(parse(PARAMETERS, "x.glsl"), {"a": "-2", "b": "ON"})
    assert shader.numbers == {"a": -2.0, "b": 1.0, "OFF": 0.0, "ON": 1.0}
    plan = build(shader, {}, "float32", Limits())
    assert dict(plan.passes[0].uniforms) == {"a": -2}
    assert "#define b 1\n" in plan.passes[0].program.fragment


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"c": "1"}, "--param c: expected a //!PARAM of x.glsl, got 'c'. Valid: a, b."),
        ({"a": "4"}, "--param a: expected a whole number from -3 to 3, got '4'. Give another."),
        ({"a": "0.5"}, "--param a: expected a whole number from -3 to 3, got '0.5'. Give another."),
        ({"a": "nan"}, "--param a: expected a whole number from -3 to 3, got 'nan'. Give another."),
        ({"b": "off"}, "--param b: expected one of OFF, ON, got 'off'. Give another."),
        ({"mode": "fp32"}, "--param mode: expected a //!PARAM of x.glsl, got 'mode'."),
    ],
)
def test_a_parameter_that_is_not_there_or_takes_other_numbers_is_refused(
    values: Mapping[str, str], message: str
) -> None:
    with pytest.raises(TexelscopeError) as error:
        with_parameters(parse(PARAMETERS, "x.glsl"), values)
    assert str(error.value).startswith(message)


def test_a_file_may_be_as_long_as_texts_are(tmp_path: Path) -> None:
    path = tmp_path / "x.glsl"
    path.write_text(f"//!HOOK MAIN\n{BODY}// {'x' * (3 << 20)}\n", encoding="utf-8")
    assert len(shader_plan(path, OpenOptions()).passes) == 1
    path.write_text(f"//!HOOK MAIN\n{BODY}// {'x' * (4 << 20)}\n", encoding="utf-8")
    with pytest.raises(TexelscopeError, match=r"x\.glsl: expected at most 4,194,304 text bytes, got 4,194,\d+\."):
        shader_plan(path, OpenOptions())


def test_no_more_textures_are_bound_than_there_are_units() -> None:
    text = f"//!HOOK MAIN\n//!SAVE a\n{BODY}//!HOOK MAIN\n//!BIND a\n//!BIND MAIN\n{BODY}"
    with pytest.raises(TexelscopeError, match=r"x\.glsl:4: expected at most 1 textures, got 2\."):
        _plan(text, limits=Limits(max_samplers=1))


def test_work_groups_need_a_device_that_has_them() -> None:
    with pytest.raises(TexelscopeError, match=r"x\.glsl:2: expected a device with OpenGL 4\.3, which has compute"):
        _plan(f"//!HOOK MAIN\n//!COMPUTE 8 8\n{BODY}", limits=Limits(work_groups=None))


def test_a_work_group_is_no_larger_than_the_device_has_it() -> None:
    limits = Limits(work_groups=WorkGroups(invocations=64))
    with pytest.raises(
        TexelscopeError, match=r"x\.glsl:2: expected at most 64 invocations a work group .*, got 16 x 8"
    ):
        _plan(f"//!HOOK MAIN\n//!COMPUTE 8 8 16 8\n{BODY}", limits=limits)
