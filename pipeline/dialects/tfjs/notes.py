"""Lists TensorFlow.js's facts about a program beside its meaning, for the reader, label by label."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping

from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import ProgramSource, UniformValue
from texelscope.pipeline.short_text import cut

# TensorFlow.js writes these before every program's own code.
_PREFIX = frozenset({"FLOAT_MAX", "FLOAT_MIN", "halfCR"})
_CONSTANT = re.compile(r"^[ \t]*const\s+\w+\s+(?P<name>\w+)\s*=\s*(?P<value>[^;]+);", re.MULTILINE)
_MOST = 400


def notes_of(program: Program, source: ProgramSource) -> tuple[tuple[str, str], ...]:
    """Returns class, kernel, uniforms against constants, cache key."""
    asked = ", ".join(f"{name} {json.dumps(value)}" for name, value in program.attributes.items())
    found = {
        "tf.js program": program.name,
        "kernel": f"{program.kernel}: {asked}" if program.kernel and asked else program.kernel,
        "uniforms": _uniforms(program.uniforms),
        "baked in": _baked_in(program, source),
        "cache key": program.key,
    }
    return tuple((label, cut(" ".join(text.split()), _MOST)) for label, text in found.items() if text)


def _uniforms(uniforms: Mapping[str, UniformValue]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in uniforms.items())


def _value(value: UniformValue) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_value(each) for each in value)})"
    return f"{value:g}" if isinstance(value, float) and not math.isnan(value) else str(value)


def _baked_in(program: Program, source: ProgramSource) -> str:
    """Lists shapes that are constants of the text, and the constants that it declares."""
    shapes = [f"{each.uniform} {list(each.shape)}" for each in program.reads] if program.shapes == "constants" else []
    text = without_comments(source.files[0].text)
    constants = [(match["name"], match["value"].strip()) for match in _CONSTANT.finditer(text)]
    return ", ".join([*shapes, *(f"{name} = {value}" for name, value in constants if name not in _PREFIX)])
