"""Edits GLSL as text, without a parser: comments, the `#version`, insertions by byte offset.

A directive in a comment is none, and one with spaces after its `#` is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

# A pattern's text, for any flags. An unterminated block comment extends to the end of the text, as for a driver. A
# backslash does not continue a line comment: whether it does depends on version and driver, and text treated as code
# although the driver skips it does less harm than the reverse.
COMMENT = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"

_COMMENT = re.compile(COMMENT)
_NOT_A_LINE_END = re.compile(r"[^\n]")
_LEADING = re.compile(r"\A(?:[ \t]*//[^\n]*\n|\n)+")
_VERSION = re.compile(
    r"^[ \t]*(?P<directive>#[ \t]*version[ \t]+(?P<number>[0-9]{1,99})(?:[ \t]+(?P<profile>\w+))?)", re.MULTILINE
)
# From this version on the desktop lacks the old words for `in`, `out` and `texture`.
_LAST_OLD_WORDS = 420
_WORD = re.compile(r"\w+")
_READS = {"texture2D": "texture", "texture2DLod": "textureLod"}
_HEAD = re.compile(r"^[ \t]*#[ \t]*(?:version|extension)\b", re.MULTILINE)
_CONDITION = re.compile(r"[ \t]*#[ \t]*(?P<word>if|endif)")


@lru_cache(maxsize=8)
def without_comments(text: str) -> str:
    """Blanks comments, with every other character in its place: a comment separates words, and lines stay."""
    return _COMMENT.sub(lambda match: _NOT_A_LINE_END.sub(" ", match[0]), text)


def leading_comment(text: str) -> tuple[str, str]:
    """Returns the line comments that begin a text, blank lines among them, and the rest of it."""
    match = _LEADING.match(text)
    length = match.end() if match is not None else 0
    return text[:length], text[length:]


@dataclass
class Edits:
    """Collects insertions by byte offset; those at one offset by their rank, and those of one rank keep their order."""

    at: dict[int, list[tuple[tuple[int, ...], str]]] = field(default_factory=dict)

    def insert(self, offset: int, text: str, rank: tuple[int, ...] = (0,)) -> None:
        self.at.setdefault(offset, []).append((rank, text))

    def apply(self, source: bytes) -> str:
        parts, last = [], 0
        for offset in sorted(self.at):
            parts.append(source[last:offset].decode())
            parts.extend(text for _, text in sorted(self.at[offset], key=lambda each: each[0]))
            last = offset
        return "".join([*parts, source[last:].decode()])


@dataclass(frozen=True)
class Version:
    """Describes a `#version` directive: its number and profile (empty if none is written), and its place."""

    number: int
    profile: str
    start: int
    stop: int

    @property
    def directive(self) -> str:
        """Returns the directive as text."""
        return f"#version {self.number} {self.profile}".rstrip()

    @property
    def is_es(self) -> bool:
        """Reports whether it requests GLSL ES; version 100 always does."""
        return self.profile == "es" or self.number == 100

    @property
    def line_offset(self) -> int:
        """Returns the next line's number after `#line n`, less n: 1 before GLSL 3.30, but not in ES."""
        return int(not self.is_es and self.number < 330)


def version_of(text: str) -> Version | None:
    """Returns the text's first `#version`; None where it has none."""
    match = _VERSION.search(without_comments(text))
    if match is None:
        return None
    return Version(int(match["number"]), match["profile"] or "", *match.span("directive"))


def is_es(text: str) -> bool:
    """Reports whether `#version` requests GLSL ES."""
    version = version_of(text)
    return version is not None and version.is_es


def with_directive(text: str, directive: str) -> str:
    """Returns the text with another `#version`; on a new first line if it had none."""
    version = version_of(text)
    if version is None:
        return f"{directive}\n{text}"
    return text[: version.start] + directive + text[version.stop :]


def same_version(vertex: str, fragment: str) -> str:
    """Returns the vertex shader in the fragment shader's version: a program has one."""
    wanted = version_of(fragment)
    if wanted is None:
        return vertex
    renamed = () if _has_old_words(wanted) else renamed_words(vertex, "vertex")
    return with_directive(vertex, "\n".join((wanted.directive, *renamed)))


def renamed_words(text: str, stage: Literal["vertex", "fragment"]) -> tuple[str, ...]:
    """Returns directives that define the old words in a stage's text which a later GLSL removed."""
    if not _has_old_words(version_of(text)):
        return ()
    used = {*_WORD.findall(without_comments(text))}
    new = {"attribute": "in", "varying": "out" if stage == "vertex" else "in", **_READS}
    return tuple(f"#define {old} {word}" for old, word in new.items() if old in used)


def _has_old_words(version: Version | None) -> bool:
    return version is not None and (version.number == 100 or (not version.is_es and version.number < _LAST_OLD_WORDS))


def head_length(text: str) -> int:
    """Returns the number of lines up to the last `#version` or `#extension`: declarations must come after.

    One that stands under a condition counts with all of it.
    """
    bare = without_comments(text)
    last = max((match.start() for match in _HEAD.finditer(bare)), default=None)
    if last is None:
        return 0
    count, depth = bare.count("\n", 0, last) + 1, 0
    for number, line in enumerate(bare.split("\n"), 1):
        found = _CONDITION.match(line)
        if found is not None:
            depth += 1 if found["word"] == "if" else -1
        if number >= count and depth <= 0:
            return number
    return count
