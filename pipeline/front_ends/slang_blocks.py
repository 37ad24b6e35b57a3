"""Writes Slang's constant buffers and storage blocks as their author names what is in them, each in one row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from texelscope.pipeline.front_ends.rows import WORD, Row, end_of_block
from texelscope.pipeline.front_ends.slang_names import RESOURCE, without_number
from texelscope.pipeline.glsl.reserved_words import safe_name

# A constant buffer, by the type of what is in it; a push constant is one too, as the file sets both by name.
_UNIFORM_BLOCK = re.compile(
    r"(?:layout\(push_constant\)[ \t]+)?layout\(std(?:140|430)\)[ \t]+uniform[ \t]+block_(?P<type>\w+)$"
)
# The types of a `cbuffer`, of global variables and of an entry point's own parameters, whose members have no name in
# front of them.
_WITHOUT_INSTANCE = re.compile(r"SLANG_ParameterGroup_|GlobalParams_|EntryPointParams_")
_STRUCT = re.compile(r"struct[ \t]+(?P<name>\w+)$")
_INSTANCE = re.compile(r"\}[ \t]*(?P<name>\w+);$")
_BUFFER_HEAD = re.compile(r"(?P<head>.*\bbuffer[ \t]+)(?P<type>\w+)[ \t]*\{$")
_BUFFER = re.compile(r".*\bbuffer[ \t]+(?P<name>\w+)[ \t]*\{.*\};$")


def elements_of(buffer: str) -> str:
    """Returns the name of the array of a buffer's elements."""
    return f"{buffer.rstrip('_')}_elements"


def with_blocks(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which storage blocks have their buffers' names, and a `cbuffer`'s members are named alone."""
    found: list[Row] = []
    instances: dict[str, str] = {}
    at = 0
    while at < len(rows):
        text = rows[at].text.strip()
        struct, buffer = _STRUCT.match(text), _BUFFER_HEAD.match(rows[at].text)
        block = _UNIFORM_BLOCK.match(text)
        if struct is None and buffer is None and block is None:
            found.append(rows[at])
            at += 1
            continue
        last = end_of_block(rows, at)
        closing = _INSTANCE.match(rows[last].text.strip())
        instance = closing["name"] if closing is not None else ""
        body = " ".join(row.text.strip() for row in rows[at + 1 : last]).removeprefix("{").strip()
        if buffer is not None:
            name = safe_name(without_number(instance or buffer["type"]))
            elements = elements_of(name)
            instances[f"{instance}._data"] = elements
            body = body.replace(" _data[", f" {elements}[")
            found.append(Row(f"{buffer['head']}{name} {{ {body} }};", rows[at].place))
        elif block is not None:
            is_alone = _WITHOUT_INSTANCE.match(block["type"]) is not None
            if is_alone:
                instances[f"{instance}."] = ""
            behind = "" if is_alone else f" {instance}"
            text = f"layout(std140) uniform {without_number(instance)}_block {{ {body} }}{behind};"
            found.append(Row(text, rows[at].place))
        elif struct is not None and _WITHOUT_INSTANCE.match(struct["name"]) is None:
            found.append(Row(f"{text} {{ {body} }};", rows[at].place))
        at = last + 1
    if not instances:
        return found
    through = re.compile(rf"\b(?:{'|'.join(map(re.escape, instances))})")
    return [replace(row, text=through.sub(lambda match: instances[match[0]], row.text)) for row in found]


def without_unused(rows: Sequence[Row], bound: Collection[str]) -> list[Row]:
    """Returns rows without the buffers, textures and images that no statement names, but for those that are `bound`."""
    counts = Counter(word for row in rows for word in WORD.findall(row.text))
    found: list[Row] = []
    for row in rows:
        buffer, resource = _BUFFER.match(row.text), RESOURCE.match(row.text.strip())
        name = buffer["name"] if buffer is not None else resource["name"] if resource is not None else ""
        word = elements_of(name) if buffer is not None else name
        if not name or counts[word] > 1 or name in bound:
            found.append(row)
    return found
