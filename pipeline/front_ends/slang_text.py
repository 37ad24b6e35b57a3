"""Turns the GLSL that Slang writes into one for OpenGL, with the author's names.

Slang writes GLSL for Vulkan, in a form of its own: each name gets a number behind it; what is in a `cbuffer` and the
elements of a buffer are read through an instance; a loop's condition is an `if` with a `break` in it. Here a name is
the author's again where only one thing has it, buffers have no instance (`A[i]` of HLSL is `A_elements[i]`), and a loop
has a head.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from texelscope.pipeline.front_ends.rows import Row
from texelscope.pipeline.front_ends.slang_blocks import with_blocks, without_unused
from texelscope.pipeline.front_ends.slang_loops import with_heads
from texelscope.pipeline.front_ends.slang_names import renamed, without_number
from texelscope.pipeline.front_ends.slang_variables import with_choices, with_variables, without_temporaries
from texelscope.pipeline.glsl.old_words import Stage

# A fragment shader runs on OpenGL 4.1, which macOS has; a compute shader needs 4.3.
_VERSIONS: Mapping[Stage, str] = {
    "vertex": "#version 410 core",
    "fragment": "#version 410 core",
    "compute": "#version 430 core",
}
_EXTENSION = re.compile(r"[ \t]*#extension[ \t]+(?P<name>\w+)")
# What these allow is written otherwise below, or by the reader of Vulkan's GLSL.
_KNOWN_EXTENSIONS = frozenset(
    {
        "GL_KHR_memory_scope_semantics", "GL_EXT_control_flow_attributes", "GL_EXT_samplerless_texture_functions",
        "GL_EXT_shader_image_load_formatted",
    }
)  # fmt: skip
_EXTENSIONS_SAID = (
    ("float16", "16-bit floats", "Use float, or min16float in a .hlsl file."),
    ("int16", "16-bit integers", "Use int."),
    ("int8", "8-bit integers", "Use int."),
    ("int64", "64-bit integers", "Use int."),
    ("atomic_float", "atomic operations on floats", "Use a sum in shared memory."),
    ("subgroup", "wave operations", "Use groupshared memory."),
    ("ray", "ray tracing", "A pass has a fragment shader, a vertex shader if you like, or a compute shader."),
)
_BINDING = re.compile(r"layout\((?:binding|set)\b[^()]*\)")
_OF_A_BLOCK = re.compile(r"layout\(std430, binding = [0-9]+(?:, set = [0-9]+)?\)")
_MAIN = "void main()"
_COUNTED_ON = ("{", "}", _MAIN)
# An input or an output of a stage.
_INTERFACE = re.compile(r"layout\(location\b[^()]*\)[ \t]*(?:\w+[ \t]+)?(?:in|out)\b")
# `layout()` stands where a binding was.
_LAYOUT_ALONE = re.compile(r"layout\([^()]*\)")
_ATTRIBUTE = re.compile(r"\[\[\w+\]\]")
# A sampler that is made where it is used, of a texture by its name.
_MADE = re.compile(r"\b[iu]?sampler(?:2D|3D|2DArray)\((?P<texture>\w+),[ \t]*\w+\)")
# Parentheses around a name alone, which hide from a reader of the text what is read.
_NEEDLESS = re.compile(r"(?<![\w)\]])\((?P<name>[A-Za-z_]\w*)\)")
# A list of initial values, which GLSL has from 4.20 on.
_LIST = re.compile(
    r"(?P<head>.*?(?P<element>\w+)[ \t]+\w+(?P<size>(?:\[[0-9]+\])?)[ \t]*=)[ \t]*\{(?P<items>[^{}]*)\};$"
)
_TYPED_BUFFER = re.compile(r"\buniform[ \t]+[iu]?(?:image|texture|sampler)Buffer[ \t]+(?P<name>\w+);")
_LISTS = re.compile(r"=[ \t]*\{")
_CONTROL_BARRIER = re.compile(r"\bcontrolBarrier\([^()]*\)")
_MEMORY_BARRIER = re.compile(r"\bmemoryBarrier\((?P<scope>[^()]+)\)")


@dataclass(frozen=True)
class UnknownExtension:
    """An extension of GLSL that the translation needs and OpenGL lacks: what it is, and what to do instead."""

    got: str
    do_next: str


def for_opengl(rows: Sequence[Row], stage: Stage, bound: Collection[str] = ()) -> list[Row] | UnknownExtension:
    """Returns the rows of a whole shader for OpenGL 4.1, or 4.3 where it is a compute shader.

    A texture, an image or a buffer that is not used stays only if it is `bound`.
    """
    found: list[Row] = []
    for row in rows:
        extension = _EXTENSION.match(row.text)
        if extension is not None and extension["name"] not in _KNOWN_EXTENSIONS:
            return _said(extension["name"])
        if extension is None and not row.text.startswith("#version"):
            found.append(replace(row, text=_words(row.text, stage)))
    for row in found:
        if (typed := _TYPED_BUFFER.search(row.text)) is not None:
            return UnknownExtension(f"a Buffer, '{without_number(typed['name'])}'", "Use a StructuredBuffer.")
    has_lists = any(_LISTS.search(row.text) is not None for row in found)
    found.insert(0, Row(_VERSIONS["compute" if has_lists else stage], None))
    return _with_main_placed(_tidied(without_unused(with_heads(_of_author(_joined(found))), bound)))


def _of_author(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with the author's variables, blocks and names."""
    return renamed(with_variables(without_temporaries(with_choices(with_blocks(rows)))))


def _said(extension: str) -> UnknownExtension:
    for part, got, do_next in _EXTENSIONS_SAID:
        if part in extension:
            return UnknownExtension(got, do_next)
    return UnknownExtension(f"the extension {extension}", "Write it without.")


def _joined(rows: Sequence[Row]) -> list[Row]:
    """Returns rows without blank ones, and each `layout(…)` in the row of what it is about."""
    found: list[Row] = []
    waiting: Row | None = None
    for each in rows:
        text = each.text.strip()
        if found and text in _COUNTED_ON:  # Slang counts lines on, though the author's stays
            each = replace(each, place=found[-1].place)
        own = each if waiting is None else Row(f"{waiting.text} {text}".strip(), waiting.place)
        if _LAYOUT_ALONE.fullmatch(text):
            waiting = replace(own, text=own.text.replace("layout()", "").strip())
        elif text not in ("", ";"):
            found.append(own)
            waiting = None
    return found


def _constructed(match: re.Match[str]) -> str:
    return f"{match['head']} {match['element']}{match['size']}({match['items'].strip()});"


def _words(text: str, stage: Stage) -> str:
    if _LISTS.search(text) is not None:  # which is quick to see, where a line has thousands of numbers
        text = _LIST.sub(_constructed, text)
    if stage != "compute" and text == "layout(row_major) buffer;":
        text = ""
    text = _MADE.sub(lambda match: match["texture"], text)
    text = _ATTRIBUTE.sub("", _BINDING.sub("layout()", text))
    text = _CONTROL_BARRIER.sub("barrier()", _OF_A_BLOCK.sub("layout(std430)", text))
    return _MEMORY_BARRIER.sub(
        lambda match: "groupMemoryBarrier()" if "Workgroup" in match["scope"] else "memoryBarrier()", text
    )


def _with_main_placed(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which the head of `main`, and the inputs and outputs before it, have its first statement's place.

    Slang says none for them, and so they would have that of the function before.
    """
    found = list(rows)
    main = next((number for number, row in enumerate(found) if row.text.startswith(_MAIN)), len(found))
    first = next((row.place for row in found[main + 1 :] if row.place is not None), None)
    start = main
    while start and _INTERFACE.match(found[start - 1].text):
        start -= 1
    if first is None or (start and found[start - 1].text.startswith("layout(local_size")):
        return found
    return [replace(row, place=first) if start <= number <= main else row for number, row in enumerate(found)]


def _tidied(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which a brace opens at the end of the line that it belongs to, and no name is in parentheses."""
    found: list[Row] = []
    for row in rows:
        text = row.text
        while (bare := _NEEDLESS.sub(lambda match: match["name"], text)) != text:
            text = bare
        row = replace(row, text=text)
        is_own = found and row.text.strip() == "{" and not found[-1].text.rstrip().endswith((";", "{", "}"))
        if is_own:
            found[-1] = replace(found[-1], text=f"{found[-1].text} {{")
        else:
            found.append(row)
    return found
