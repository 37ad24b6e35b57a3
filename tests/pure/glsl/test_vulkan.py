"""Tests vulkan's GLSL as OpenGL's: the same lines, with uniforms and constants in place of what OpenGL lacks."""

from texelscope.pipeline.glsl.vulkan import vulkan_to_gl

_TEXT = """#version 450
#define OFFSET 7
layout (constant_id = 0) const int kind = 0;  // layout (constant_id = 1) const int no = 0;
layout (constant_id = OFFSET + 2)
    const float slope = 0.1;
layout (constant_id = 3) const bool flip = false;
layout (local_size_x_id = 233, local_size_y_id = 234) in;
layout (set = 0, binding = 20) readonly buffer a { float x[]; };
layout (std430, binding = 1) writeonly buffer b { float y[]; };
layout (binding = 2, rgba32f) uniform image2D i;
layout (push_constant) uniform parameter
{
    int w, h;
    layout(offset = 16) vec4 scale;
    float table[OFFSET];
} p;
void main() { y[0] = x[p.w] * slope; }
"""


def test_lines_stay_and_constants_take_their_values() -> None:
    made = vulkan_to_gl(_TEXT, {"kind": 3, "9": 0.25, "local_size_x": 8, "234": 4})
    was, now = _TEXT.split("\n"), made.text.split("\n")
    assert len(was) == len(now)
    assert now[2].strip().startswith("const int kind = 3;")
    assert now[4] == "    const float slope = 0.25;"
    assert now[5].strip() == "const bool flip = false;"
    assert now[6] == "layout(local_size_x = 8, local_size_y = 4) in;"
    assert now[7].strip() == "readonly layout(std430) buffer a { float x[]; };"
    assert now[8] == "layout(std430) writeonly buffer b { float y[]; };"
    assert now[9] == "layout(rgba32f) uniform image2D i;"
    assert [line.strip() for line in now[10:16]] == [
        "uniform struct parameter", "{", "int w, h;", "vec4 scale;", "float table[OFFSET];", "} p;",
    ]  # fmt: skip
    assert now[16:] == was[16:]


def test_what_can_be_set_is_told() -> None:
    made = vulkan_to_gl(_TEXT, {})
    assert [(each.name, each.uniform, each.type, each.count, each.line) for each in made.push] == [
        ("w", "p.w", "int", 1, 13),
        ("h", "p.h", "int", 1, 13),
        ("scale", "p.scale", "vec4", 1, 14),
        ("table", "p.table", "float", 7, 15),
    ]
    assert [(each.name, each.number, each.line) for each in made.constants] == [
        ("kind", 0, 3), ("slope", 9, 5), ("flip", 3, 6), ("local_size_x", 233, 7), ("local_size_y", 234, 7),
    ]  # fmt: skip
    assert "layout(local_size_x = 1, local_size_y = 1) in;" in made.text


def test_push_constants_without_a_name_are_uniforms() -> None:
    made = vulkan_to_gl("layout(push_constant) uniform P { int w;\n  vec2 at; };\nvoid main() {}\n", {})
    assert [line.split() for line in made.text.split("\n")] == [
        ["uniform", "int", "w;"], ["uniform", "vec2", "at;"], ["void", "main()", "{}"], [],
    ]  # fmt: skip
    assert [each.uniform for each in made.push] == ["w", "at"]


def test_text_of_opengl_stays() -> None:
    text = "#version 430\nlayout(local_size_x = 4) in;\nlayout(std430) buffer A { float a[]; };\nvoid main() {}\n"
    assert vulkan_to_gl(text, {}).text == text


def test_words_of_memory_before_a_uniform_block_go_and_columns_stay() -> None:
    text = "#version 450\nlayout(set=0, binding=2) readonly restrict uniform Constants { ivec4 size; } c;\n"
    made = vulkan_to_gl(text, {}).text.split("\n")[1]
    assert made.split() == ["uniform", "Constants", "{", "ivec4", "size;", "}", "c;"]
    blocks = "#version 450\nlayout(std430) readonly restrict buffer B { float x[]; };\n"
    assert "readonly restrict buffer B" in vulkan_to_gl(blocks, {}).text


def test_axes_of_a_work_group_on_lines_of_their_own_are_all_on_each() -> None:
    text = (
        "#version 450\nlayout(local_size_x_id = 233) in;\nlayout(local_size_y_id = 234) in;\n"
        "layout(local_size_z = 2) in;\nvoid main() {}\n"
    )
    lines = vulkan_to_gl(text, {"233": 8, "local_size_y": 4}).text.split("\n")
    sizes = [sorted(line.removeprefix("layout(").removesuffix(") in;").split(", ")) for line in lines[1:4]]
    assert sizes == [["local_size_x = 8", "local_size_y = 4", "local_size_z = 2"]] * 3


def test_sizes_of_a_work_group_of_which_a_condition_chooses_stay_apart() -> None:
    text = (
        "#version 450\n#ifdef FLAT\nlayout(local_size_x_id = 1) in;\n#else\n"
        "layout(local_size_x = 8, local_size_y = 8) in;\n#endif\nvoid main() {}\n"
    )
    assert vulkan_to_gl(text, {"1": 64}).text == text.replace("local_size_x_id = 1", "local_size_x = 64")
