"""Which variables are known where a statement begins."""

from __future__ import annotations

import pytest

from viewer.stepping.scopes import Scopes

TEXT = """\
uniform float u_a;
float f(float i) {
    float w = i;
    return w;
}
void main() {
    float sum = 0.0, other[2] = float[2](1.0, 2.0), last;   // float hidden;
    for (int i = 0; i < 3; i++) {
        const vec2 at = vec2(i, max(1, 2));
        for (int k = 0; k < 3; k++)
            sum += at.x;
        if (sum > 1.0) {
            float inner = sum;
            sum = inner;
        } else sum = 1.0;
        sum += 2.0;
    }
    vec4[2] end;
    result = sum;
}
"""
KNOWN = {
    (7, "float sum = 0.0"): "",
    (8, "int i = 0"): "sum other last",
    (8, "i < 3"): "sum other last i",
    (8, "i++"): "sum other last i",
    (9, "const vec2 at"): "sum other last i",
    (10, "int k = 0"): "sum other last i at",
    (10, "k < 3"): "sum other last i at k",
    (11, "sum += at.x"): "sum other last i at k",
    (13, "float inner"): "sum other last i at",
    (14, "sum = inner"): "sum other last i at inner",
    (15, "sum = 1.0"): "sum other last i at",
    (16, "sum += 2.0"): "sum other last i at",
    (19, "result = sum"): "sum other last end",
}


@pytest.mark.parametrize(("where", "names"), KNOWN.items())
def test_a_variable_is_known_from_its_declaration_to_the_end_of_its_block(where: tuple[int, str], names: str) -> None:
    scopes = Scopes(TEXT)
    every = ("sum", "other", "last", "i", "at", "k", "inner", "end")
    assert [name for name in every if scopes.knows(name, *where)] == names.split()


def test_what_is_not_found_declared_is_known() -> None:
    scopes = Scopes(TEXT)
    assert scopes.knows("i", 3, "float w = i"), "a parameter"
    assert not scopes.knows("w", 3, "float w = i")
    assert scopes.knows("w", 4, "return w")
    assert scopes.knows("macro", 9, "const vec2 at")
    assert scopes.knows("sum", 1, "")
    assert scopes.knows("sum", 99, "beyond")
