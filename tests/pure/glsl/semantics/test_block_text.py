"""Accesses to storage blocks are those of the right block."""

from __future__ import annotations

from texelscope.pipeline.glsl.semantics.block_text import accesses
from texelscope.pipeline.glsl.semantics.parsing import parse

# Members of one name behind instances, an array of blocks, and a structure's member that is in no block.
TEXT = b"""\
#version 430
layout(std430) buffer A { float data[]; } a;
layout(std430) buffer B { float data[]; } b[2];
layout(std430) buffer C { float elements[]; };
struct S { float data[2]; };
void main() {
    S s;
    a.data[0] = b[1].data[2] + elements[3] + s.data[0] + b[0] . data[1];
    elements[1] += a.data[4];
}
"""


def test_members_of_one_name_are_told_apart_by_their_instances() -> None:
    found = accesses(parse(TEXT))
    reads = {name: [node.text for node in nodes] for name, nodes in found.reads.items()}
    writes = {name: [node.text for node in nodes] for name, nodes in found.writes.items()}
    assert reads == {
        "A": ["a.data[4]"],
        "B": ["b[1].data[2]", "b[0] . data[1]"],
        "C": ["elements[3]", "elements[1]"],
    }
    assert writes == {"A": ["a.data[0]"], "C": ["elements[1]"]}
