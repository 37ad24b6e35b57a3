"""Which shaders look as if a driver could die of them, or take long over them."""

from __future__ import annotations

import pytest

from texelscope.pipeline.shader_trials.estimate import is_strange

_HEAD = "#version 330 core\nout vec4 c;\n"
_DOUBLED = "".join(f"float f{i}(float x) {{ return f{i - 1}(x) + f{i - 1}(x + 1.0); }}\n" for i in range(1, 30))


def _shader(expression: str, before: str = "") -> str:
    return f"{_HEAD}{before}void main() {{\n    float x = gl_FragCoord.x;\n    c = vec4({expression});\n}}\n"


def _macros(define: str, count: int) -> str:
    return "#define A0 + x\n" + "".join(f"{define} A{i} A{i - 1} A{i - 1}\n" for i in range(1, count))


@pytest.mark.parametrize(
    "text",
    [
        _shader("f29(x)", f"float f0(float x) {{ return x; }}\n{_DOUBLED}"),
        _shader("x A16", _macros("#define", 17)),
        _shader("x A39", _macros("#\vdefine", 40)),
        _shader("x A39", _macros("#def\\\nine", 40)),
        _shader("x A199", _macros("#define", 200).replace(" A", "  A")),
        _shader("+".join(["x"] * 10_000)),
        _shader("(" * 20_000 + "x" + ")" * 20_000),
        _shader("a[int(x)]", "float a[100000000];\n"),
        _shader("a[int(x)]", "#define MANY 0x7ffffffu\nfloat a[MANY];\n"),
        _HEAD + "void main() { float x = 0.5;\n" + "x = x * 1.25 + 0.5;\n" * 20_000 + "c = vec4(x); }\n",
        _shader("f(x)", "".join(f"float f{i}() {{ return f{i + 1}(); }}\n" for i in range(200))),
    ],
    ids=range(11),
)
def test_a_shader_that_asks_for_much_is_strange(text: str) -> None:
    assert is_strange(text)


@pytest.mark.parametrize(
    "text",
    [
        _shader("x"),
        _shader("f(x)", "float f(float x) { return x; }\n#line 100042\nfloat a[4];\n"),
        _shader("x A9", _macros("#define", 10)),
        _shader("f(f(f(x)))", "float f(float x) { if (x > 0.0) { return x; } return f(x); }\n"),
        _HEAD + "void main() { float x = 0.5;\n" + "x = x * 1.25 + 0.5;\n" * 2_000 + "c = vec4(x); }\n",
        _shader("x", "#define LARGE 1e9\n"),
        "}}}} ((( void main() {",
        "",
    ],
    ids=range(8),
)
def test_what_people_write_is_not(text: str) -> None:
    assert not is_strange(text)
