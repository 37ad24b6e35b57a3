"""Splits the text of a Magpie effect into its sections, each of directives and what is below them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.dialects.magpie.effect import EffectSection
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError, nearest

_MAGIC = re.compile(r"^[ \t]*//![ \t]*MAGPIE[ \t]+EFFECT[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_DIRECTIVE = re.compile(r"[ \t]*//![ \t]*(?P<word>\w+)[ \t]*(?P<rest>.*?)[ \t\r]*$")
_SECTIONS = ("PARAMETER", "TEXTURE", "SAMPLER", "COMMON", "PASS")
_COMMENT = re.compile(r"[ \t]*(?://(?!!).*)?\r?$")


@dataclass(frozen=True)
class MagpieDirective:
    """Holds `//!WORD rest`, the word in capitals."""

    word: str
    rest: str
    place: FileLine

    def words(self) -> tuple[str, ...]:
        """Returns what is between its commas."""
        return tuple(each.strip() for each in self.rest.split(","))

    def fault(self, expected: str, do_next: str = "Correct the line.") -> TexelscopeError:
        """Returns the error that this is not what the directive takes."""
        return self.place.fault(f"{expected} behind //!{self.word}", f"'{self.rest}'", do_next)


@dataclass(frozen=True)
class MagpieSection:
    """Holds a section: its first directive, the others by their words, and the text below them."""

    first: MagpieDirective
    others: dict[str, MagpieDirective]
    body: EffectSection

    @property
    def place(self) -> FileLine:
        """Where it begins."""
        return self.first.place

    def check(self, *known: str) -> None:
        """Raises TexelscopeError for a directive that is none of this kind of section."""
        for word, each in self.others.items():
            if word not in known:
                got, do_next = f"'//!{word}'", nearest(word, known) if known else "Remove it."
                raise each.place.fault(f"a directive of a //!{self.first.word} section", got, do_next)

    def needed(self, word: str) -> MagpieDirective:
        """Returns a directive. Raises TexelscopeError if the section has none of that word."""
        if word not in self.others:
            raise self.place.fault(f"//!{word} in this section", "none", "Add it below the first line.")
        return self.others[word]


def is_effect(text: str) -> bool:
    """Reports whether a text says that it is an effect of Magpie's."""
    return _MAGIC.search(text) is not None


def sections_of(text: str, file: str) -> Iterator[MagpieSection]:
    """Yields the header, and then the sections in the order of the file.

    Raises TexelscopeError for a text that is no effect, and for a directive that a section has twice.
    """
    magic = _MAGIC.search(text)
    if magic is None:
        raise TexelscopeError(file, "a Magpie effect, with '//!MAGPIE EFFECT'", "none", "Open another file.")
    lines = text.split("\n")
    first = text.count("\n", 0, magic.start())
    starts = [first, *(at for at in _directive_rows(lines) if at > first and _word(lines[at]) in _SECTIONS)]
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield _section(lines, start, stop, file)


def _section(lines: list[str], start: int, stop: int, file: str) -> MagpieSection:
    first = _directive(lines[start], FileLine(file, start + 1))
    others: dict[str, MagpieDirective] = {}
    at = start + 1
    while at < stop:
        match = _DIRECTIVE.match(lines[at])
        if match is not None:
            each = _directive(lines[at], FileLine(file, at + 1))
            if each.word in others:
                raise each.place.fault(f"one //!{each.word}", "a second one", "Remove one of the two.")
            others[each.word] = each
        elif not _COMMENT.match(lines[at]):
            break
        at += 1
    return MagpieSection(first, others, EffectSection("\n".join(lines[at:stop]), at + 1))


def _directive(line: str, place: FileLine) -> MagpieDirective:
    match = _DIRECTIVE.match(line)
    assert match is not None
    return MagpieDirective(match["word"].upper(), match["rest"], place)


def _word(line: str) -> str:
    match = _DIRECTIVE.match(line)
    return match["word"].upper() if match is not None else ""


def _directive_rows(lines: list[str]) -> Iterator[int]:
    """Yields the rows that begin with a directive outside of comments of several lines."""
    is_inside = False
    for at, line in enumerate(lines):
        if not is_inside and _DIRECTIVE.match(line):
            yield at
            continue
        position = 0
        while position < len(line):
            if is_inside:
                end = line.find("*/", position)
                if end < 0:
                    break
                is_inside, position = False, end + 2
                continue
            opened, row = line.find("/*", position), line.find("//", position)
            if opened < 0 or 0 <= row < opened:
                break
            is_inside, position = True, opened + 2
