"""Takes an author's text: recognises what kind it is, and adds what its own engine or page would put around it.

The author's lines keep their numbers, and what is replaced in them its length. The kinds: a page's text for WebGL 1 or
2, one for three.js, an engine's without a version, a section of Godot's files, ShaderToy's `mainImage`, Vulkan's GLSL,
and any other text, which has its `#version`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.glsl.authored import shadertoy, threejs, vulkan_words
from texelscope.pipeline.glsl.authored.inferred_version import inferred, leaves_samplers_open, needs_precision
from texelscope.pipeline.glsl.authored.refused import AuthorTextError, check_meaning
from texelscope.pipeline.glsl.authored.sections import has_sections, section_of
from texelscope.pipeline.glsl.authored.shadertoy import SuppliedUniform
from texelscope.pipeline.glsl.lines import LINES_PER_FILE, directive_at, line_directive
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.source_text import head_length, version_of, without_comments

Kind = Literal["plain", "webgl1", "webgl2", "three.js", "desktop", "godot", "shadertoy", "vulkan"]

# The source-string of text behind the author's; no file of a program has so high a number.
_BEHIND = 999
_TOY_VERSION, _VULKAN_VERSION = "#version 300 es", "#version 450 core"
_HIGHP = ("precision highp float;", "precision highp int;", "precision highp sampler2D;")


@dataclass(frozen=True)
class AuthorText:
    """Holds a text as a driver takes it, what kind the author's is, and what was `supplied` to it.

    `is_vulkan` says that push constants and specialization constants are left for `pipeline.glsl.vulkan`. `warnings`
    are sentences about what was assumed.
    """

    kind: Kind
    text: str
    supplied: tuple[SuppliedUniform, ...] = ()
    is_vulkan: bool = False
    warnings: tuple[str, ...] = ()


def taken(text: str, stage: Stage, *, defines: Sequence[str] = (), beside: str = "", version: str = "") -> AuthorText:
    """Returns an author's text for the driver, with `defines` behind its version.

    `beside` is the author's text of the program's other stage. A `version`, such as "300 es", is that of a text
    without `#version`, instead of the one that its words say. Raises AuthorTextError, with the line, for a text that
    no pass can run.
    """
    whole = section_of(text, stage)
    check_meaning(whole, stage)
    bare = without_comments(whole)
    is_toy, is_vulkan = stage == "fragment" and shadertoy.has_main_image(bare), vulkan_words.is_vulkan(bare)
    if is_toy:
        whole = shadertoy.without_player_lines(whole)
    if is_vulkan:
        whole = vulkan_words.with_combined_samplers(vulkan_words.without_vulkan_extensions(whole))
    whole = vulkan_words.with_memory_in_front(whole)
    kind: Kind = "godot" if has_sections(text) else "shadertoy" if is_toy else "vulkan" if is_vulkan else "plain"
    head, rest, own_kind = _divided(whole, bare, stage, _beside(beside, stage), is_toy=is_toy)
    if version and own_kind is not None:
        head = [f"#version {version}"]
    declared: tuple[str, ...] = ()
    supplied: tuple[SuppliedUniform, ...] = ()
    warnings: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    runs_as = version_of("\n".join(head))
    assert runs_as is not None
    if is_toy:
        supplied = shadertoy.uniforms_for(bare)
        declared, main = shadertoy.declarations(bare, runs_as, supplied), shadertoy.main_for(runs_as)
        behind = (f"#line {_BEHIND * LINES_PER_FILE + 1} {_BEHIND}", *main)
    elif own_kind is not None and runs_as.is_es:
        declared, supplied = threejs.declarations(bare, stage, runs_as)
    if own_kind is not None and not is_toy and runs_as.is_es and stage == "fragment":
        precisions, warnings = _precisions(bare)
        declared = (*precisions, *declared)
    result = _with_declarations([*head, *defines], rest, declared)
    if behind:
        result = "\n".join([result.rstrip("\n"), *behind])
    return AuthorText(
        own_kind if kind == "plain" and own_kind is not None else kind, result.rstrip("\n") + "\n", supplied,
        is_vulkan, warnings,
    )  # fmt: skip


def _precisions(bare: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the precisions that stand in front of a text that leaves its version to a browser, and why."""
    if needs_precision(bare):
        return _HIGHP, (
            "no precision is declared, which a browser refuses; highp is assumed, as three.js and others put in "
            "front. Add 'precision highp float;'.",
        )
    if leaves_samplers_open(bare):
        return _HIGHP[-1:], (
            "its samplers have no precision; highp is assumed, as browsers on desktops read them, while a phone may "
            "round. Add 'precision highp sampler2D;'.",
        )
    return (), ()


def _beside(text: str, stage: Stage) -> str:
    """Returns the other stage's text without comments; empty where it says its version itself."""
    other: Stage = "vertex" if stage == "fragment" else "fragment"
    own = section_of(text, other) if text else ""
    return "" if version_of(own) is not None else without_comments(own)


def _divided(
    whole: str, bare: str, stage: Stage, beside: str, *, is_toy: bool
) -> tuple[list[str], list[str], Kind | None]:
    """Returns the lines up to the version, those behind it with their number, and the kind of a text without one."""
    version = version_of(whole)
    if version is not None and bare[: version.start].strip():
        raise AuthorTextError(0, "#version on its first line", "none there", "For example #version 300 es.")
    lines = whole.split("\n")
    kind: Kind | None = None
    if version is None:
        kind, directive = inferred(bare, stage, beside)
        directive = _TOY_VERSION if is_toy else _VULKAN_VERSION if vulkan_words.is_vulkan(bare) else directive
        head, count, offset = [directive], 0, 0
    else:
        count, offset = whole.count("\n", 0, version.start) + 1, version.line_offset
        head = lines[:count]
    rest = lines[count:]
    if not rest or not rest[0].startswith("#line "):
        rest = [line_directive(0, count + 1 - offset), *rest]
    return head, rest, kind


def _with_declarations(head: list[str], rest: list[str], declared: Sequence[str]) -> str:
    """Returns the text with declarations behind its last `#extension`; the lines behind them keep their numbers."""
    text = "\n".join([*head, *rest])
    if not declared:
        return text
    lines, row = text.split("\n"), head_length(text)
    if row <= len(head):
        return "\n".join([*head, *declared, *rest])
    return "\n".join([*lines[:row], *declared, directive_at(text, row), *lines[row:]])
