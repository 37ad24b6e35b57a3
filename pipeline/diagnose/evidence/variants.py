"""Variants of a shader for interventions: reads moved by a part of a texel, everything in full precision."""

from __future__ import annotations

import dataclasses

from pipeline.glsl.assemble import read_shader
from pipeline.glsl.syntax import parse
from pipeline.plan import ProgramSource

# Reads whose coordinates can be moved; texelFetch has whole numbers.
_MOVED = ("texture", "textureLod", "textureOffset", "textureLodOffset")


def samples(program: ProgramSource) -> bool:
    """Whether the shader reads anything at coordinates rather than at whole texels."""
    return any(word in _MOVED or word == "texture2D" for word in _identifiers(program.fragment))


def moved_reads(program: ProgramSource) -> ProgramSource | None:
    """The shader with every sampled coordinate moved by `u_moved` texels; None before GLSL 3.30 and ES 3.00."""
    lines = program.fragment.split("\n")
    head = _head(lines)
    version = next((line.split() for line in lines[:head] if line.lstrip().startswith("#version")), [])
    if (
        len(version) < 2
        or not version[1].isdigit()
        or int(version[1]) < 130
        or "texture2D" in _identifiers(program.fragment)
    ):
        return None
    names = [f"#define {name} moved_{name}" for name in _MOVED]
    text = [*lines[:head], read_shader("taps/moved.glsl"), *names, f"#line {head + 1} 0", *lines[head:]]
    return dataclasses.replace(program, fragment="\n".join(text))


def in_full_precision(program: ProgramSource) -> ProgramSource | None:
    """A GLSL ES shader with every precision qualifier highp, samplers included; None where that changes nothing."""
    lines = program.fragment.split("\n")
    head = _head(lines)
    version = next((line.split() for line in lines[:head] if line.lstrip().startswith("#version")), [])
    if "es" not in version and version[1:2] != ["100"]:
        return None
    source = program.fragment.encode()
    parts, last = [], 0
    for start, end in _low_qualifiers(source):
        parts.append(source[last:start].decode() + "highp")
        last = end
    text = "".join([*parts, source[last:].decode()]).split("\n")
    declared = ["precision highp float;", "precision highp int;", "precision highp sampler2D;"]
    return dataclasses.replace(
        program, fragment="\n".join([*text[:head], *declared, f"#line {head + 1} 0", *text[head:]])
    )


def _low_qualifiers(source: bytes) -> list[tuple[int, int]]:
    found, pending = [], [parse(source)]
    while pending:
        node = pending.pop()
        if not node.children and node.text in (b"lowp", b"mediump"):
            found.append((node.start_byte, node.end_byte))
        pending.extend(node.children)
    return sorted(found)


def _identifiers(text: str) -> set[str]:
    found, pending = set(), [parse(text.encode())]
    while pending:
        node = pending.pop()
        if node.type == "identifier" and node.text is not None:
            found.add(node.text.decode())
        elif node.type == "preproc_arg" and node.text is not None:  # a macro's body is not parsed
            found.update(_identifiers(f"void f() {{ {node.text.decode()}; }}"))
        pending.extend(node.children)
    return found


def _head(lines: list[str]) -> int:
    """Number of lines up to the last #version or #extension."""
    return max((i + 1 for i, line in enumerate(lines) if line.split()[:1] in (["#version"], ["#extension"])), default=0)
