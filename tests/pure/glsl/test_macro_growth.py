"""Macros that a few lines make endless are found before a driver writes them out; those of networks are none."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.macro_growth import endless_macro
from texelscope.pipeline.quotas import Quotas, allowing


def _chain(count: int, becomes: str, last: str) -> str:
    return "".join(f"#define m{i}{becomes.replace('NEXT', f'm{i + 1}')}\n" for i in range(count)) + last


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("// first\n" + _chain(40, " NEXT NEXT", "float x = m0;"), "m0", 1),
        (_chain(30, "(x) NEXT(x) + NEXT(x)", "#define m30(x) x\nfloat x = m0(1.0);"), "m0", 0),
        ("#define f(x) x + x\nfloat x = " + "f(" * 30 + "1.0" + ")" * 30 + ";", "f", 0),
        ("#define f() " + "1 " * 2000 + "\n" + "f() " * 2000, "f", 0),
        (_chain(200, " NEXT", "float x = m0;"), "m0", 0),
    ],
)
def test_what_grows_beyond_memory_is_named_with_its_line(text: str, name: str, line: int) -> None:
    assert endless_macro(text) == (name, line)


@pytest.mark.parametrize(
    "text",
    [
        "#define a b\n#define b a\nfloat x = a;",
        "#define f(x) f(f(x))\nfloat x = f(f(f(1.0)));",
        _chain(40, " NEXT NEXT", "float x = 1.0;"),
        "#define go(x, y) (HOOKED_texOff(vec2(x, y)))\n" + "s += mat4(1.0) * go(0.0, 1.0);\n" * 2000,
        "#define f(x) (x) * (x)\n" + "s += f(a) + f(b);\n" * 2000,
    ],
)
def test_what_ends_is_left_alone(text: str) -> None:
    assert endless_macro(text) is None


def test_how_long_a_text_may_become_is_a_limit_that_can_be_set() -> None:
    text = "#define f(x) x + x\nfloat x = f(f(1.0));"
    assert endless_macro(text) is None
    with allowing(Quotas(expanded_words=10)):
        assert endless_macro(text) == ("f", 0)
    with allowing(Quotas(expanded_words=1 << 40)):
        assert endless_macro(_chain(25, " NEXT NEXT", "float x = m0;")) is None
