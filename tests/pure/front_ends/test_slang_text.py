"""What Slang writes becomes GLSL for OpenGL with the author's names, variables and lines."""

from __future__ import annotations

import pytest

from texelscope.pipeline.front_ends.rows import Row, rows_of, with_directives
from texelscope.pipeline.front_ends.slang_text import UnknownExtension, for_opengl

HEAD = "#version 450\n#extension GL_KHR_memory_scope_semantics : require\nlayout(row_major) buffer;\n"
BUFFER = """#line 2 0
layout(std430, binding = 1) readonly buffer StructuredBuffer_float_t_0 {
    float _data[];
} A_0;
"""


def _lines(text: str, stage: str = "compute", bound: tuple[str, ...] = ()) -> list[str]:
    rows = for_opengl(rows_of(HEAD + text), stage, bound)  # type: ignore[arg-type]
    assert isinstance(rows, list)
    return [row.text.strip() for row in rows]


def test_a_buffer_is_named_by_its_author_and_read_without_an_instance() -> None:
    found = _lines(BUFFER + "#line 9 0\nvoid main()\n{\n    float x_0 = A_0._data[uint(3)];\n}\n")
    assert "layout(std430) readonly buffer A { float A_elements[]; };" in found
    assert "float x = A_elements[uint(3)];" in found


def test_members_of_a_constant_buffer_are_named_alone() -> None:
    block = "layout(binding = 0)\nlayout(std140) uniform block_SLANG_ParameterGroup_P_0\n{\n    uint Width_0;\n}P_0;\n"
    found = _lines("#line 4 0\n" + block + "#line 9 0\nvoid main()\n{\n    uint w_0 = P_0.Width_0;\n}\n")
    assert "layout(std140) uniform P_block { uint Width; };" in found
    assert "uint w = Width;" in found


def test_a_constant_buffer_of_a_structure_is_read_through_its_name() -> None:
    block = "layout(push_constant)\nlayout(std430) uniform block_P_0\n{\n    float k_0;\n}pc_0;\n"
    found = _lines("#line 4 0\n" + block + "#line 9 0\nvoid main()\n{\n    float w_0 = pc_0.k_0;\n}\n")
    assert "layout(std140) uniform pc_block { float k; } pc;" in found
    assert "float w = pc.k;" in found


def test_names_that_begin_as_temporaries_do_are_the_authors_again() -> None:
    block = (
        "layout(binding = 0)\nlayout(std140) uniform block_GlobalParams_0\n{\n    float U_Size_0;\n}globalParams_0;\n"
    )
    found = _lines("#line 4 0\n" + block + "#line 9 0\nvoid main()\n{\n    float w_0 = globalParams_0.U_Size_0;\n}\n")
    assert "float w = _Size;" in found


def test_what_is_not_used_stays_only_if_the_file_binds_it() -> None:
    text = BUFFER + "#line 3 0\nlayout(binding = 2)\nuniform texture2D T_0;\n#line 9 0\nvoid main()\n{\n}\n"
    assert not any("A_elements" in line or "texture2D" in line for line in _lines(text))
    assert "uniform texture2D T;" in _lines(text, bound=("T",))
    assert any("A_elements" in line for line in _lines(text, bound=("A",)))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "float sum_0 = 0.0;\nfor(;;)\n{\nif(i < 3)\n{\n}\nelse\n{\nbreak;\n}\nfloat sum_1 = sum_0 + 2.0;\n"
            "sum_0 = sum_1;\n}",
            ["float sum = 0.0;", "while(i < 3) {", "sum = sum + 2.0;", "}"],
        ),
        ("float _S1 = f(x);\nfloat y_0 = _S1 * 2.0;", ["float y = f(x) * 2.0;"]),
        ("float _S1 = a + b;\nfloat y_0 = _S1 * 2.0;", ["float y = (a + b) * 2.0;"]),
        ("float _S12 = 1.0;\nh(_S12);\nfloat _S1 = f(x);\ng(_S12, _S1);",
         ["float _S12 = 1.0;", "h(_S12);", "g(_S12, f(x));"]),
        ("float _S1 = a + b;\ng();\nfloat y_0 = _S1;", ["float _S1 = a + b;", "g();", "float y = _S1;"]),
        (
            "int i_0 = 0;\nfor(;;)\n{\nif(i_0 < n)\n{\n}\nelse\n{\nbreak;\n}\nif(c)\n{\ni_0 = i_0 + 2;\n"
            "continue;\n}\ng(i_0);\ni_0 = i_0 + 2;\n}",
            ["for(int i = 0; i < n; i += 2) {", "if(c) {", "continue;", "}", "g(i);", "}"],
        ),
        # The step is made of what the body makes.
        (
            "int i_0 = 0;\nfor(;;)\n{\nif(i_0 < n)\n{\n}\nelse\n{\nbreak;\n}\nint _S1 = i_0 + 1;\ng(i_0, _S1);\n"
            "i_0 = _S1;\n}",
            ["int i = 0;", "while(i < n) {", "int _S1 = i + 1;", "g(i, _S1);", "i = _S1;", "}"],
        ),
        # It is used behind the loop.
        (
            "int i_0 = 0;\nfor(;;)\n{\nif(i_0 < n)\n{\n}\nelse\n{\nbreak;\n}\ni_0 = i_0 + 1;\n}\ng(i_0);",
            ["int i = 0;", "for(; i < n; i++) {", "}", "g(i);"],
        ),
        (
            "float _S1;\nif(c)\n{\n_S1 = a[i];\n}\nelse\n{\n_S1 = 0.0;\n}\nfloat x_0 = _S1;",
            ["float x = c ? a[i] : 0.0;"],
        ),
        # The older value is read on the way: both are needed.
        (
            "float v_0 = 1.0;\nfloat v_1 = v_0 + 2.0;\ng(v_0);\nv_0 = v_1;",
            ["float v_0 = 1.0;", "float v_1 = v_0 + 2.0;", "g(v_0);", "v_0 = v_1;"],
        ),
        # The loop is left before the newer value counts.
        (
            "float v_0 = 1.0;\nwhile(c)\n{\nfloat v_1 = v_0 + 2.0;\nif(d)\n{\nbreak;\n}\nv_0 = v_1;\n}",
            [
                "float v_0 = 1.0;", "while(c) {", "float v_1 = v_0 + 2.0;", "if(d) {", "break;", "}", "v_0 = v_1;", "}",
            ],
        ),
    ],
)  # fmt: skip
def test_statements_read_as_their_author_wrote_them(written: str, expected: list[str]) -> None:
    indented = "\n".join(f"#line 9 0\n    {line}" for line in written.split("\n"))
    found = _lines(f"#line 8 0\nvoid main()\n{{\n{indented}\n}}\n")
    assert found[found.index("void main() {") + 1 : -1] == expected


def test_a_name_that_two_things_of_a_function_have_keeps_its_number_and_others_do_not() -> None:
    text = (
        "#line 1 0\nfloat f_0(float x_0)\n{\n    return x_0;\n}\n"
        "void main()\n{\n    float x_1 = f_0(1.0);\n    float y_0 = x_1;\n    {\n    float y_1 = y_0;\n    }\n}\n"
    )
    found = _lines(text)
    assert "float f(float x) {" in found
    assert "float x = f(1.0);" in found
    assert "float y_0 = x;" in found
    assert "float y_1 = y_0;" in found


@pytest.mark.parametrize("name", ["input", "mix", "texture", "vec2"])
def test_no_name_becomes_a_word_of_glsl(name: str) -> None:
    text = (
        f"#line 1 0\nlayout(binding = 0)\nuniform texture2D {name}_0;\nvoid main()\n{{\n    float {name}_1 = 1.0;\n}}\n"
    )
    found = _lines(text, bound=(f"{name}_",))
    assert f"uniform texture2D {name}_;" in found
    assert f"float {name}_1 = 1.0;" in found


def test_what_opengl_has_not_is_said() -> None:
    found = for_opengl(
        rows_of("#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"), "compute"
    )
    assert found == UnknownExtension("16-bit floats", "Use float, or min16float in a .hlsl file.")


def test_lines_are_those_of_the_author() -> None:
    text = "a\n#line 7 0\nb\nc\n#line 100003 1\nd\n"
    rows = rows_of(text)
    assert rows == [Row("a", None), Row("b", (0, 7)), Row("c", (0, 8)), Row("d", (1, 3)), Row("", (1, 4))]
    assert with_directives(rows) == "#line 99800001 998\na\n#line 7 0\nb\nc\n#line 100003 1\nd\n"
