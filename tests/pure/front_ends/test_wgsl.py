"""WGSL becomes GLSL that means the same at the same lines, and what OpenGL lacks is refused at its line."""

from __future__ import annotations

import pytest

from texelscope.layouts.errors import TexelscopeError
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.wgsl import entry_points, translated
from texelscope.pipeline.glsl.authored.refused import AuthorTextError

HEAD = """\
struct Sizes { rows: u32, shape: vec4<i32>, scale: f32 }
@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read_write> input: array<vec4f>;
@group(0) @binding(2) var<uniform> sizes: Sizes;
var<workgroup> tile: array<array<f32, 4>, 8>;
const K = 3;
override TILE: u32 = 4u;
"""
MAIN = "@compute @workgroup_size(TILE, 2) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n{}\n}}\n"


def _glsl(body: str, defines: dict[str, str] | None = None, head: str = HEAD) -> str:
    return translated(TranslationRequest(f"#line 1 0\n{head}{MAIN.format(body)}", "compute", "", defines or {}))


def _statements(body: str) -> list[str]:
    rows = _glsl(body).partition("void main() {")[2].split("\n")
    found = [row.strip() for row in rows if row.strip() and not row.startswith("#line")]
    return [row for row in found if row != "uvec3 id = gl_GlobalInvocationID;"][:-1]


@pytest.mark.parametrize(
    ("wgsl", "glsl"),
    [
        ("let x = A[id.x] * f32(K);", "float x = A_elements[id.x] * float(K);"),
        ("input[id.x] = vec4(1, 2.5, 3, 4);", "input_elements[id.x] = vec4(1.0, 2.5, 3.0, 4.0);"),
        ("input[0] = select(input[1], vec4f(0), input[2] < input[3]);",
         "input_elements[0] = mix(input_elements[1], vec4(0.0), lessThan(input_elements[2], input_elements[3]));"),
        ("let y = select(1.0, 2.0, id.x > 3);", "float y = (id.x > 3u ? 2.0 : 1.0);"),
        ("let n = id.x / sizes.rows;", "uint n = id.x / sizes.rows;"),
        ("let n = id.x % (id.y + 1u);", "uint n = id.x % max((id.y + 1u), 1u);"),
        ("var r: vec2<i32>; r.x = sizes.shape.y - 1;", "r.x = sizes.shape.y - 1;"),
        ("let s = id.x << id.y;", "uint s = id.x << (id.y & 31u);"),
        ("let h = 1.0 / 3.0;", "float h = 1.0 / 3.0;"),
        ("let h = 0.1 + 0.6;", "float h = 0.7;"),
        ("let u = u32(A[0]);", "uint u = uint(clamp(A_elements[0], 0.0, 4294967040.0));"),
        ("let i = i32(2.9);", "int i = 2;"),
        ("let b = bitcast<u32>(A[0]);", "uint b = floatBitsToUint(A_elements[0]);"),
        ("let m = A[0] % 2.0;", "float m = (A_elements[0] - 2.0 * trunc(A_elements[0] / 2.0));"),
        ("let l = arrayLength(&A);", "uint l = uint(A_elements.length());"),
        ("var sum: f32; sum += 1f;", "sum += 1.0;"),
        ("var s = 1u; s <<= id.x | 1u;", "s <<= ((id.x | 1u) & 31u);"),
        ("var m = mat2x2f(1, 0, 0, 1); m *= m + m;", "m = m * (m + m);"),
        ("var b = true; b &= id.x > 1u || id.y > 1u;", "b = (b && (id.x > 1u || id.y > 1u));"),
        ("let out = array<f32, 2>(1, 2);", "float out_[2] = float[2](1.0, 2.0);"),
        ("let r = inverseSqrt(round(2.5));", "float r = inversesqrt(roundEven(2.5));"),
        ("let h = f32(0x1fu & 0xffffffffu);", "float h = float(0x1fu & 0xffffffffu);"),
        ("let packed = 0xffi;", "int packed_ = 0xff;"),
        ("let l = ldexp(A[0], 3);", "float l = ldexp(A_elements[0], 3);"),
        ("let w: vec2<u32> = vec2(1, 2) * vec2u(3);", "uvec2 w = uvec2(1u, 2u) * uvec2(3u);"),
    ],
)  # fmt: skip
def test_a_statement_becomes_its_glsl(wgsl: str, glsl: str) -> None:
    assert glsl in _statements(wgsl)


def test_what_is_not_given_a_value_begins_at_zero() -> None:
    assert "float a[2] = float[2](0.0, 0.0);" in _statements("var a: array<f32, 2>;")
    text = _glsl("tile[0][0] = A[0];")
    assert "for (int tile_i = 0; tile_i < 8; tile_i++) for (int tile_j = 0; tile_j < 4; tile_j++) tile[" in text
    assert "shared float tile[8][4];" in text


def test_what_is_continuing_comes_before_the_next_turn() -> None:
    body = "var n = 0; loop { if (n == 2) { continue; } n += 2; continuing { n++; break if n > 9; } }"
    rows = _statements(body)
    assert rows[2:8] == ["while (true) {", "if (is_later) {", "n++;", "if (n > 9) break;", "}", "is_later = true;"]


def test_declarations_are_those_that_the_entry_point_uses() -> None:
    text = _glsl("input[0] = vec4f(sizes.scale);")
    assert "layout(std430) buffer input_ { vec4 input_elements[]; };" in text
    assert "layout(std140) uniform sizes_block { uint rows; ivec4 shape; float scale; } sizes;" in text
    assert "buffer A" not in text
    assert "layout(local_size_x = 4, local_size_y = 2, local_size_z = 1) in;" in text


def test_an_override_has_the_value_of_the_pipeline_file() -> None:
    assert "local_size_x = 16," in _glsl("let x = TILE;", {"TILE": "16"})


def test_an_override_without_a_type_keeps_that_of_its_own_value() -> None:
    text = _glsl(
        "let x = id.x % count; let y = A[0] * gain;",
        {"count": "7", "gain": "7"},
        f"{HEAD}override count = 5u;\noverride gain = 1.0;\n",
    )
    assert "const uint count = 7u;" in text
    assert "const float gain = 7.0;" in text


def test_functions_stand_before_those_that_call_them_at_their_own_lines() -> None:
    head = f"{HEAD}fn outer(x: f32) -> f32 {{ return inner(x); }}\nfn inner(x: f32) -> f32 {{ return x; }}\n"
    text = _glsl("let y = outer(A[0]);", head=head)
    assert text.index("float inner(float x)") < text.index("float outer(float x)")
    assert "#line 9 0\nfloat inner(float x) {" in text


def test_a_drawn_shader_has_its_inputs_and_outputs() -> None:
    text = (
        "#line 1 0\n@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n"
        "@fragment fn f(@builtin(position) at: vec4f, @location(0) uv: vec2f) -> @location(0) vec4f {\n"
        "  return textureSample(t, s, uv) + textureLoad(t, vec2i(at.xy), 0);\n}\n"
    )
    rows = translated(TranslationRequest(text, "fragment")).split("\n")
    assert "uniform sampler2D t;" in rows
    assert "in vec2 uv;" in rows
    assert "layout(location = 0) out vec4 result_color;" in rows
    assert any(row.strip().startswith("result_color = texture(t, uv) + texelFetch(t, ivec2(") for row in rows)


def test_entry_points_are_found() -> None:
    text = "@compute @workgroup_size(1) fn a() {}\n@workgroup_size(1) @compute fn b() {}\n// @compute fn no() {}\n"
    assert entry_points(text, "compute") == ["a", "b"]
    assert entry_points("@fragment\nfn f() -> @location(0) vec4f { }", "fragment") == ["f"]


@pytest.mark.parametrize(
    ("body", "row", "message"),
    [
        ("let x = tiel[0];", 8, "expected a name that is declared, got 'tiel'. Did you mean 'tile'?"),
        ("let x = id.x + 1i;", 8, "expected two operands of one type for '+', got u32 and i32. Convert one of them."),
        ("let x: f32 = id.x;", 8, "expected a value of f32, got u32. Convert it, as in f32(x)."),
        ("let x = 1\nlet y = 2;", 9, "expected ';' behind the statement, got 'let'. Correct the line, or the one"),
        ("let x = sizes.row;", 8, "expected a member of Sizes, got 'row'. Did you mean 'rows'?"),
        ("if (id.x) { }", 8, "expected a condition of bool, got u32. Compare it, as in x != 0."),
        ("let x = f16(1);", 8, "expected types that OpenGL has, got f16, floats of 16 bits. Use f32 here"),
        ("let x = subgroupAdd(1);", 8, "expected a function that OpenGL has, got subgroupAdd(). Use memory of the w"),
        ("let x = id.x / 0u;", 8, "expected a divisor that is not 0, got 0. Correct it."),
        ("let x = vec3f(1, 2);", 8, "expected 3 components of vec3<f32>, got 2. Correct the list."),
        ("let x = max(1.0, id.x);", 8, "expected arguments of max() of one type, got abstract float, u32. Convert"),
        ("let x = #;", 8, "expected WGSL, got the character '#'. Remove it."),
        ("let x = " + "(" * 400 + "1" + ")" * 400 + ";", 8, "expected at most 120 expressions or blocks in each other"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_line(body: str, row: int, message: str) -> None:
    with pytest.raises(AuthorTextError) as caught:
        _glsl(body)
    assert message in str(caught.value)
    assert caught.value.row == row + 1  # the directive is a row too


def test_a_define_that_is_no_override_is_refused() -> None:
    with pytest.raises(TexelscopeError, match=r"expected an override of that name, got defines\.TILES\. Did you mean"):
        _glsl("let x = TILE;", {"TILES": "2"})


def test_wgsl_is_known_by_its_ending() -> None:
    language = language_of("a/Kernel.WGSL")
    assert language is not None
    assert language.name == "WGSL"
