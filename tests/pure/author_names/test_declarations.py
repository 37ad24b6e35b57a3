"""What a text declares and where each name is used, for every form of declaration of the languages."""

from __future__ import annotations

import pytest

from texelscope.pipeline.author_names.declarations import names_in

# A text with the name `it` declared once or more; ^ stands before each letter where that declaration is used.
USES = {
    "uniform": "uniform vec2 ^it;\nvoid main() { gl_FragColor = vec4(^it, 0, 1); }",
    "qualifiers": "layout(location = 0) flat in highp int ^it;\nvoid main() { int a = ^it; }",
    "block with a name": "uniform Params { float it; } ^it;\nvoid main() { float a = ^it.it; }",
    "block without one": "uniform Params { float a, ^it; };\nvoid main() { float b = ^it; }",
    "buffer": "layout(std430, binding = 0) buffer Data { float ^it[]; };\nvoid main() { ^it[0] = 1.0; }",
    "local": "void main() { float ^it = 1.0; { ^it += 2.0; } }\nfloat it() { return 3.0; }",
    "hidden": "void main() { float ^it = 1.0; { float a = ^it; int it = 2; a += float(it); } ^it = 3.0; }",
    "initialised by an outer one": "uniform float ^it;\nvoid main() { float a = ^it; float b = a; }",
    "loop": "void main() { for (int ^it = 0; ^it < 4; ^it++) { int a = ^it; } int b = 5; }",
    "loop without braces": "void main() { for (int ^it = 0; ^it < 4; ^it++) for (int j; ^it > j; j++) f(^it); it }",
    "two loops": "void main() { for (int ^it = 0; ^it < 4; ++^it) f(^it); for (int it = 0; it < 4; ++it) f(it); }",
    "function": "float ^it(vec2 a);\nfloat ^it(vec2 a) { return a.x; }\nvoid main() { ^it(vec2(1)); }",
    "parameter": "float f(const in vec2 ^it, float b) { return ^it.x + b; }\nfloat g(vec2 it) { return it.x; }",
    "second parameter": "float f(float a, sampler2D ^it) { return texture(^it, vec2(a)).x; }",
    "further declarators": "void main() { float a = f(1, 2), ^it = 3.0, b[2] = float[2](^it, ^it); }",
    "array behind the type": "void main() { float[3] ^it = float[3](1., 2., 3.); f(^it[0]); }",
    "macro": "#define ^it 4\nvoid main() { int a = ^it; }\n#if ^it > 2\n#endif",
    "macro's parameter": "#define twice(^it, b) ((^it) + (^it) * b)\nvoid main() { float it = twice(1., 2.); }",
    "continued macro": "#define both(^it) \\\n  (^it + \\\n   ^it)\nfloat it;",
    "macro that uses a uniform": "uniform float ^it;\n#define more(a) (a + ^it)\nvoid main() { more(1.0); }",
    "struct": "struct ^it { float a; };\n^it made() { ^it b; b.a = 1.0; return b; }",
    "struct with a variable": "struct S { float it; } ^it;\nvoid main() { ^it.it = 1.0; }",
    "comments": "uniform float ^it; // it\n/* it */ void main() { float a = ^it; }",
    "branches": "#ifdef A\nuniform float ^it;\n#else\nuniform vec2 ^it;\n#endif\nvoid main() { f(^it); }",
    "HLSL resource": "Texture2D<float4> ^it : register(t0);\nfloat4 main() : SV_Target { return ^it.Load(0); }",
    "HLSL constant buffer": "cbuffer C : register(b0) { float2 ^it; float b; }\nfloat4 main(float4 p : SV_Position) "
    ": SV_Target { return ^it.x; }",
    "HLSL attribute": "[numthreads(8, 8, 1)]\nvoid ^it(uint3 a : SV_DispatchThreadID) { }",
    "comparison": "void main() { if (a < b && c > ^it) { } }\nuniform float ^it;",
    "called within": "void main() { vec2 at = vec2(f(^it), 2.0); return; }\nconst float ^it = 1.0;",
}
WGSL_USES = {
    "global": "@group(0) @binding(0) var<storage, read_write> ^it: array<f32>;\nfn main() { ^it[0] = 1.0; }",
    "texture": "@group(0) @binding(1) var ^it: texture_2d<f32>;\nfn f() { textureLoad(^it, a, 0); }",
    "let": "fn main() { let ^it = 1.0; var b = ^it; }\nfn g() { let it = 2.0; }",
    "parameter": "fn f(^it: f32, b: f32) -> f32 { return ^it * b; }",
    "function": "fn ^it() -> f32 { return 1.0; }\nfn main() { let a = ^it(); }",
    "constant": "const ^it = 4u;\n@compute @workgroup_size(^it) fn main() { }",
    "member": "struct P { it: f32 }\nfn main() { let ^it = p.it; f(^it); }",
    "loop": "fn main() { for (var ^it = 0u; ^it < 4u; ^it++) { f(^it); } }",
}


def used(text: str, *, is_wgsl: bool = False) -> tuple[list[int], list[int]]:
    """Returns the marked places of `it`, and those that are found for the first of them."""
    marked, plain = [], ""
    for part in text.split("^"):
        marked.append(len(plain))
        plain += part
    marked = [len("".join(text.split("^")[: number + 1])) for number in range(text.count("^"))]
    names = names_in(plain, is_wgsl=is_wgsl)
    token = names.token_at(marked[0])
    assert token is not None
    scope = names.scope_of(token)
    assert scope is not None
    outer = scope is names.outermost
    found = names.uses_of_outer("it") if outer else names.uses_of_inner("it", scope)
    return marked, [each.start for each in found]


@pytest.mark.parametrize("text", USES.values(), ids=USES.keys())
def test_each_use_belongs_to_its_declaration(text: str) -> None:
    marked, found = used(text)
    assert found == marked


@pytest.mark.parametrize("text", WGSL_USES.values(), ids=WGSL_USES.keys())
def test_each_use_in_wgsl_belongs_to_its_declaration(text: str) -> None:
    marked, found = used(text, is_wgsl=True)
    assert found == marked


def test_half_a_text_still_has_its_names() -> None:
    names = names_in("uniform float u_gain;\nvoid main() {\n  float a = u_gain * (1.0 +\n")
    assert "u_gain" in names.outermost.names
    assert [each.start for each in names.uses_of_outer("u_gain")] == [14, 48]
