"""Writes Slang's constant buffers and storage blocks without instances, as their author names what is in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from texelscope.pipeline.front_ends.rows import Row, end_of_block
from texelscope.pipeline.front_ends.slang_names import without_number

_UNIFORM_BLOCK = re.compile(r"layout\(std140\)\s+uniform\s+block_\w+$")
_STRUCT = re.compile(r"struct[ \t]+(?P<name>(?:SLANG_ParameterGroup_\w+|GlobalParams_\d+|EntryPointParams_\d+))$")
_INSTANCE = re.compile(r"\}[ \t]*(?P<name>\w+);$")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_RESOURCE = re.compile(r"(?:.*\)[ \t]*)?uniform[ \t]+(?:\w+[ \t]+){0,3}\w+[ \t]+(?P<name>\w+)(?:\[[^\[\]]*\])*;$")
_BUFFER = re.compile(r"(?P<head>.*\bbuffer[ \t]+)(?P<type>\w+)[ \t]*\{$")


def with_blocks(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which the members of uniform blocks are named alone, and storage blocks by their buffers."""
    found: list[Row] = []
    instances: dict[str, str] = {}
    at = 0
    while at < len(rows):
        text = rows[at].text.strip()
        if _STRUCT.match(text) is not None:  # a block's members once more
            at = end_of_block(rows, at) + 1
            continue
        buffer = _BUFFER.match(rows[at].text)
        if buffer is not None:
            last = end_of_block(rows, at)
            instance = _INSTANCE.match(rows[last].text.strip())
            name = without_number(instance["name"]) if instance is not None else buffer["type"]
            if instance is not None:
                instances[f"{instance['name']}._data"] = f"{name}_elements"
            texts = [f"{buffer['head']}{name} {{", *(row.text for row in rows[at + 1 : last]), "};"]
            found += [Row(text.replace(" _data[", f" {name}_elements["), rows[at].place) for text in texts]
            at = last + 1
            continue
        if _UNIFORM_BLOCK.match(text) is not None:
            last = end_of_block(rows, at)
            instance = _INSTANCE.match(rows[last].text.strip())
            name = instance["name"] if instance is not None else ""
            instances[f"{name}."] = ""
            found.append(replace(rows[at], text=f"layout(std140) uniform {without_number(name)}_block"))
            found.extend(replace(row, place=rows[at].place) for row in rows[at + 1 : last])
            found.append(Row("};", rows[at].place))
            at = last + 1
            continue
        found.append(rows[at])
        at += 1
    if not instances:
        return found
    through = re.compile(rf"\b(?:{'|'.join(map(re.escape, instances))})")
    return [replace(row, text=through.sub(lambda match: instances[match[0]], row.text)) for row in found]


def without_unused(rows: Sequence[Row], bound: Collection[str]) -> list[Row]:
    """Returns rows without the buffers, textures and images that no statement names, but for those that are `bound`."""
    counts = Counter(word for row in rows for word in _WORD.findall(row.text))
    found: list[Row] = []
    at = 0
    while at < len(rows):
        buffer, resource = _BUFFER.match(rows[at].text), _RESOURCE.match(rows[at].text.strip())
        if buffer is not None:
            last = end_of_block(rows, at)
            if counts[f"{buffer['type']}_elements"] > 1 or buffer["type"] in bound:
                found += rows[at : last + 1]
            at = last
        elif resource is None or counts[resource["name"]] > 1 or resource["name"] in bound:
            found.append(rows[at])
        at += 1
    return found
