"""Tests a shader of ncnn as a compute shader: its lines stay, its words are there, and a typo is reported."""

from __future__ import annotations

import pytest

from tests.ncnn_shaders import PRODUCT, relu
from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.glsl.lines import line_directive, line_map
from texelscope.pipeline.glsl.ncnn.modes import HALF_TYPES, MODES, mode_called
from texelscope.pipeline.glsl.ncnn.translation import speaks_ncnn, translated
from texelscope.pipeline.plan import ProgramSource, SourceFile


def source(text: str) -> ProgramSource:
    """Returns a source as from a pipeline file: the author's lines are numbered behind `#version`."""
    head, version, body = text.partition("#version 450\n")
    directive = line_directive(0, head.count("\n") + 2)
    return ProgramSource(f"{head}{version}{directive}\n{body}", (SourceFile(0, "a.comp", text),))


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_line_of_the_author_keeps_its_number(mode: object) -> None:
    program = translated(source(PRODUCT), mode_called(getattr(mode, "name", "")), (8, 8, 1))
    lines = PRODUCT.split("\n")
    told = [(line, text) for (path, line), text in zip(line_map(program), program.fragment.split("\n"), strict=True)]
    found = [
        line
        for line, text in told
        if text.strip() == "int place = int(gl_GlobalInvocationID.x) * 4, group = int(gl_GlobalInvocationID.y);"
    ]
    assert found == [next(n for n, text in enumerate(lines, 1) if "int place" in text)]
    assert program.stage == "compute"
    assert program.fragment.startswith("#version 430\n")
    assert "layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;" in program.fragment


def test_a_work_group_that_the_text_says_stays() -> None:
    text = relu(1).replace("void main", "layout(local_size_x = 2) in;\nvoid main")
    assert "local_size_y" not in translated(source(text), MODES[0], (4, 4, 4)).fragment


def test_a_copy_to_shared_memory_takes_halves_by_their_number() -> None:
    text = "#version 450\nreadonly buffer b { sfp data[]; };\nvoid main() { lfp v = sfp2lfp(data[i[2] + 1]); }\n"
    made = translated(source(text), mode_called("fp16_storage"), (1, 1, 1)).fragment
    assert "lfp v = sfp2lfp_of(data, i[2] + 1);" in made
    assert "         buffer b { sfp data[]; };" in made, "atomics write what is otherwise only read"
    assert "sfp2lfp(data[i[2] + 1])" in translated(source(text), mode_called("fp16_packed"), (1, 1, 1)).fragment


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "buffer_ld1(",
            "buffer_ld3(",
            r"a\.comp:33: expected a macro that ncnn's GLSL extension or the shader defines, got 'buffer_ld3'",
        ),
        ("{ sfp ", "{ sfpvec3 ", r"a\.comp:13: .* got 'sfpvec3'\. Did you mean 'sfpvec"),
    ],
)
def test_a_macro_that_nobody_defines_is_told_with_file_and_line(old: str, new: str, message: str) -> None:
    assert old in relu(1)
    with pytest.raises(TexelscopeError, match=message):
        translated(source(relu(1).replace(old, new)), MODES[0], (1, 1, 1))


def test_a_macro_of_the_shader_is_one() -> None:
    text = relu(1).replace("#version 450\n", "#version 450\n#define buffer_ld3(b, i) buffer_ld1(b, i)\n")
    text = text.replace("= buffer_ld1(", "= buffer_ld3(").replace("// What is below 0 becomes 0.\n", "")
    assert "buffer_ld3" in translated(source(text), MODES[0], (1, 1, 1)).fragment


def test_the_dialect_is_known_by_its_words_outside_comments() -> None:
    assert speaks_ncnn(relu(8))
    assert not speaks_ncnn("#version 450\n// sfpvec4 buffer_ld4\nvoid main() {}\n")


def test_a_mode_that_a_driver_lacks_is_refused_by_name() -> None:
    limits = Limits(work_groups=WorkGroups())
    mode = mode_called("fp16_arithmetic")
    with pytest.raises(UnsupportedError, match=f"ncnn mode 'fp16_arithmetic': expected a driver with {HALF_TYPES}"):
        mode.check(limits)
    mode.check(Limits(work_groups=WorkGroups(), extensions=frozenset({HALF_TYPES})))
    with pytest.raises(UnsupportedError, match=r"ncnn mode 'fp32': expected OpenGL 4\.3, which has compute shaders"):
        MODES[0].check(Limits())
    with pytest.raises(TexelscopeError, match=r"ncnn mode: expected one of fp32, .*, got 'fp16_paked'\. Did you mean"):
        mode_called("fp16_paked")


def test_half_types_compute_where_a_driver_has_them() -> None:
    made = translated(source(relu(4)), mode_called("fp16_arithmetic"), (1, 1, 1)).fragment
    assert made.startswith(f"#version 430\n#extension {HALF_TYPES} : require\n")
    assert "#define NCNN_fp16_arithmetic 1\n" in made
    assert "#define NCNN_fp16_packed 1\n" in made


def test_storage_is_what_the_mode_says_of_so_many_numbers() -> None:
    assert [
        [mode_called(name).storage(numbers) for numbers in (1, 4)] for name in ("fp32", "fp16_packed", "fp16_storage")
    ] == [
        ["float32", "float32"],
        ["float32", "float16"],
        ["float16", "float16"],
    ]
