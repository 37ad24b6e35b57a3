"""The `#version` of a shader: read, compared, replaced; and the head of directives that it begins.

A directive in a comment is none, and one with spaces after its `#` is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.glsl.comments import without_comments

_VERSION = re.compile(
    r"^[ \t]*(?P<directive>#[ \t]*version[ \t]+(?P<number>[0-9]{1,99})(?:[ \t]+(?P<profile>\w+))?)", re.MULTILINE
)
# From this version on the desktop has no more words for which `in`, `out` and `texture` stand.
_LAST_OLD_WORDS = 420
_WORD = re.compile(r"\w+")
_READS = {"texture2D": "texture", "texture2DLod": "textureLod"}
_HEAD = re.compile(r"^[ \t]*#[ \t]*(?:version|extension)\b", re.MULTILINE)


@dataclass(frozen=True)
class Version:
    """A `#version` directive: its number and profile (empty where none is written), and which characters it is."""

    number: int
    profile: str
    start: int
    stop: int

    @property
    def directive(self) -> str:
        """The directive, as one writes it."""
        return f"#version {self.number} {self.profile}".rstrip()

    @property
    def is_es(self) -> bool:
        """Whether it asks for GLSL ES; version 100 is always that."""
        return self.profile == "es" or self.number == 100

    @property
    def line_offset(self) -> int:
        """How much more than n the line after `#line n` is: before GLSL 3.30, and never in ES, n is the directive's."""
        return int(not self.is_es and self.number < 330)


def version_of(text: str) -> Version | None:
    """The text's first `#version`; None where it has none."""
    match = _VERSION.search(without_comments(text))
    if match is None:
        return None
    return Version(int(match["number"]), match["profile"] or "", *match.span("directive"))


def is_es(text: str) -> bool:
    """Whether `#version` asks for GLSL ES."""
    version = version_of(text)
    return version is not None and version.is_es


def with_directive(text: str, directive: str) -> str:
    """The text with another `#version`; on a line of its own before it where it had none."""
    version = version_of(text)
    if version is None:
        return f"{directive}\n{text}"
    return text[: version.start] + directive + text[version.stop :]


def same_version(vertex: str, fragment: str) -> str:
    """The vertex shader in the fragment shader's version: a program has one."""
    wanted = version_of(fragment)
    if wanted is None:
        return vertex
    renamed = () if _has_old_words(wanted) else renamed_words(vertex, "vertex")
    return with_directive(vertex, "\n".join((wanted.directive, *renamed)))


def renamed_words(text: str, stage: Literal["vertex", "fragment"]) -> tuple[str, ...]:
    """Directives by which a later GLSL takes those words of a stage's text that it has no more."""
    if not _has_old_words(version_of(text)):
        return ()
    used = {*_WORD.findall(without_comments(text))}
    new = {"attribute": "in", "varying": "out" if stage == "vertex" else "in", **_READS}
    return tuple(f"#define {old} {word}" for old, word in new.items() if old in used)


def _has_old_words(version: Version | None) -> bool:
    return version is not None and (version.number == 100 or (not version.is_es and version.number < _LAST_OLD_WORDS))


def head_length(text: str) -> int:
    """The number of lines up to the last `#version` or `#extension`: before their end nothing else may be declared."""
    last = max((match.start() for match in _HEAD.finditer(without_comments(text))), default=None)
    return 0 if last is None else text.count("\n", 0, last) + 1
