"""Puts the names of a SPIR-V module's blocks, textures and images into SPIRV-Cross's text of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from texelscope.pipeline.front_ends.rows import Row
from texelscope.pipeline.front_ends.spirv_names import BlockNames, NamedModule

_CLOSING = re.compile(r"\} (?P<name>\w+);$")
_HEADER = re.compile(r"(?P<head>.*\b(?:buffer|uniform)[ ])(?P<name>\w+)$")
_MEMBER = re.compile(r"(?P<head>.*?\b)(?P<name>\w+)(?P<tail>(?:\[[^\[\]]*\])*;)$")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def with_names(rows: Sequence[Row], names: NamedModule) -> list[Row]:
    """Returns rows in which each stand-in is the name that it stands for, and a block's members have theirs."""
    found = list(rows)
    # Where several share a type, SPIRV-Cross calls a block after its variable, and that by one name more.
    blocks = {name: each for each in names.blocks for name in (each.stand_in, f"{each.stand_in}_1")}
    members: dict[str, dict[str, str]] = {}
    for at, row in enumerate(rows):
        closing = _CLOSING.match(row.text)
        block = blocks.get(closing["name"]) if closing is not None else None
        if block is None:
            continue
        first = next(number for number in range(at, -1, -1) if rows[number].text == "{")
        header = _HEADER.match(rows[first - 1].text)
        if header is not None:
            found[first - 1] = replace(row, text=f"{header['head']}{block.block}")
        known = members.setdefault(block.stand_in, {})
        for number in range(first + 1, at):
            made = _member(found[number], block, number - first - 1, known)
            found[number] = replace(found[number], text=made)
        found[at] = replace(row, text=f"}} {block.instance};" if block.instance else "};")
    through = re.compile(rf"\b(?P<block>{'|'.join(blocks) or '(?!)'})\.(?P<member>\w+)")

    def as_named(match: re.Match[str]) -> str:
        block = blocks[match["block"]]
        member = members.get(block.stand_in, {}).get(match["member"], match["member"])
        return f"{block.instance}.{member}" if block.instance else member

    others = names.others
    return [
        replace(row, text=_WORD.sub(lambda match: others.get(match[0], match[0]), through.sub(as_named, row.text)))
        for row in found
    ]


def _member(row: Row, block: BlockNames, number: int, known: dict[str, str]) -> str:
    """Returns the declaration of a block's member with its name, which goes into `known` by the one it had."""
    match = _MEMBER.match(row.text)
    if match is None:
        return row.text
    name = block.members.get(number, match["name"])
    known[match["name"]] = name
    return f"{match['head']}{name}{match['tail']}"
