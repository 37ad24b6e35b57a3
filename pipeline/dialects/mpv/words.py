"""One directive of an mpv user shader, and the numbers and names behind its word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError, nearest

_WORD = re.compile(r"(?P<word>[A-Z]+)(?:\s+(?P<rest>.*))?")
_NAME = re.compile(r"[A-Za-z_]\w{0,99}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True)
class Directive:
    """`//!WORD rest`; `rest` has no spaces around it."""

    word: str
    rest: str
    place: FileLine

    @classmethod
    def of(cls, text: str, place: FileLine) -> Directive:
        """The directive whose text behind `//!` this is; an unknown word is kept as it is."""
        match = _WORD.fullmatch(text.rstrip())
        return cls(text.rstrip(), "", place) if match is None else cls(match["word"], match["rest"] or "", place)

    def name(self) -> str:
        """What it names. Raises TexelscopeError for what is no name of GLSL."""
        if not _NAME.fullmatch(self.rest):
            raise self.place.fault(f"a name behind //!{self.word}", f"'{self.rest}'", "Letters, digits and _ alone.")
        return self.rest

    def numbers(self, *counts: int) -> tuple[float, ...]:
        """Its numbers, as many as one of `counts`. Raises TexelscopeError for others."""
        words = self.rest.split()
        if len(words) not in counts or not all(_NUMBER.fullmatch(word) for word in words):
            raise self.place.fault(f"{_listed(counts)} behind //!{self.word}", f"'{self.rest}'", "Correct the line.")
        return tuple(float(word) for word in words)

    def whole(self, *counts: int, least: int = 1, most: int = 1 << 14) -> tuple[int, ...]:
        """Its whole numbers from `least` to `most`, as many as one of `counts`. Raises TexelscopeError for others."""
        words = self.rest.split()
        if len(words) not in counts or not all(_WHOLE.fullmatch(word) and least <= int(word) <= most for word in words):
            wanted = f"{_listed(counts)} from {least} to {most}"
            raise self.place.fault(f"{wanted} behind //!{self.word}", f"'{self.rest}'", "Correct the line.")
        return tuple(int(word) for word in words)

    def unknown(self, section: str, known: tuple[str, ...]) -> TexelscopeError:
        """The error that `section` has no such directive."""
        return self.place.fault(f"a directive of {section}", f"'//!{self.word}'", nearest(self.word, known))


def _listed(counts: tuple[int, ...]) -> str:
    return f"{' or '.join(map(str, counts))} number{'s' if counts != (1,) else ''}"
