"""Mutants that one operator of the catalogue alone makes, of texts that stand where many names are known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.operators.catalogue.registry import Catalogue
from texelscope.pipeline.repair.operators.operator import MutationOperator
from texelscope.pipeline.repair.programs import mutating
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram

HEAD = """\
#version 430
uniform sampler2D spare, image;
uniform ivec2 u_size;
uniform int n, in_w, in_h, out_w, out_h;
uniform float u_unused;
uniform float a[9], b[9], w[9], tile[9][9];
out vec4 result;
float half_of(float t) { return 0.5 * t; }
int at(int k, int l) { return k + l; }
int by(int k) { return k; }
"""
NAMES = """\
float x = gl_FragCoord.x, y = 0.5 * x, z = x * x;
int i = int(gl_FragCoord.x), j = int(gl_FragCoord.y);
bool flag = true;
ivec2 p = ivec2(gl_FragCoord.xy);
vec2 s = gl_FragCoord.xy;
vec4 v = vec4(x), u = vec4(y);
"""
_FUNCTION = re.compile(r"\w+ \w+\([^)]*\) {")
# An expression is tried as a value of each of these.
_TYPES = ("float", "int", "bool", "vec2", "vec3", "vec4", "ivec2")


@contextmanager
def alone(operator: MutationOperator) -> Iterator[None]:
    """Has mutants made by one operator alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mutating, "all_operators", lambda: Catalogue((operator,)))
        yield


def shaders(text: str) -> Iterator[str]:
    """The shaders in which an example may stand; two texts of one example give as many."""
    if _FUNCTION.match(text):
        yield f"{HEAD}{text}\nvoid main() {{ }}\n"
    elif text.endswith((";", "}")):
        yield f"{HEAD}void main() {{\n{NAMES}{text} }}\n"
    else:
        yield from (f"{HEAD}void main() {{\n{NAMES}{kind} value = {text}; }}\n" for kind in _TYPES)


def mutants(shader: str) -> set[str]:
    """All mutants of a shader, with each space that means nothing once."""
    program = MutableProgram(ProgramSource(shader, (SourceFile(0, "a.frag", shader),)))
    made = {squeezed(program.edited((each,))) for each in program.edits((), rows=((1.0, 2.0, 3.0),))}
    unknown = (each.proposal for each in program.variables())
    text = shader.encode()
    return made | {
        squeezed((text[: each.place[0]] + each.template.encode() + text[each.place[1] :]).decode()) for each in unknown
    }


def squeezed(text: str) -> str:
    """The text with one space for several."""
    return " ".join(text.split())
