"""Cuts a text in WGSL into tokens (WGSL, 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.glsl.authored.refused import AuthorTextError

Kind = Literal["name", "int", "float", "sign", "end"]

# A `>` is always a token of its own: it may close a list of a type's arguments (see `SignReader.sign`).
_TOKEN = re.compile(
    r"(?P<float>0[xX](?:[0-9a-fA-F]+\.[0-9a-fA-F]*|\.[0-9a-fA-F]+|[0-9a-fA-F]+)[pP][+-]?[0-9]+[fh]?"
    r"|0[xX](?:[0-9a-fA-F]+\.[0-9a-fA-F]*|\.[0-9a-fA-F]+)"
    r"|(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fh]?|[0-9]+[eE][+-]?[0-9]+[fh]?|[0-9]+[fh](?!\w))"
    r"|(?P<int>0[xX][0-9a-fA-F]+[iu]?|[0-9]+[iu]?)"
    r"|(?P<name>[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*)"
    r"|(?P<sign>->|<<=|<<|<=|==|!=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|[-+*/%&|^~!<>=.,;:@(){}\[\]])"
)
_WIDE = re.compile(r"l[iuf]\b")
_BLANK = re.compile(r"[\s\u200e\u200f]+")
_LONGEST = 1_000_000


@dataclass(frozen=True)
class WgslToken:
    """One token: its text, the 0-based row it begins in, and where it begins and ends in the text, in characters."""

    kind: Kind
    text: str
    row: int
    start: int
    end: int


def tokens_of(text: str) -> list[WgslToken]:
    """Returns the tokens of a text without its comments; the last one is of the kind `end`.

    Raises AuthorTextError for a character that WGSL has not, and for a comment that does not end.
    """
    if len(text) > _LONGEST:
        raise AuthorTextError(0, f"at most {_LONGEST} characters of WGSL", f"{len(text)}", "Split the shader.")
    found: list[WgslToken] = []
    at, row = 0, 0
    while at < len(text):
        if (blank := _BLANK.match(text, at)) is not None:
            end = blank.end()
        elif text.startswith("//", at):
            newline = text.find("\n", at)
            end = newline if newline >= 0 else len(text)
        elif text.startswith("/*", at):
            end = _end_of_comment(text, at, row)
        else:
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                raise AuthorTextError(row, "WGSL", f"the character '{text[at]}'", "Remove it.")
            end = match.end()
            if (wide := _WIDE.match(text, end)) is not None and match.lastgroup != "name":
                got = f"'{match[0]}{wide[0]}', which has 64"
                raise AuthorTextError(row, "numbers of 32 bits", got, "Use one of 32 bits.")
            found.append(WgslToken(_KINDS[match.lastgroup], match[0], row, at, end))
        row += text.count("\n", at, end)
        at = end
    return [*found, WgslToken("end", "the end of the file", row, at, at)]


_KINDS: dict[str, Kind] = {"float": "float", "int": "int", "name": "name", "sign": "sign"}


def _end_of_comment(text: str, start: int, row: int) -> int:
    """Returns where a comment ends that may contain others."""
    depth, at = 0, start
    for match in re.finditer(r"/\*|\*/", text[start:]):
        depth += 1 if match[0] == "/*" else -1
        at = start + match.end()
        if depth == 0:
            return at
    raise AuthorTextError(row, "a comment that ends", "none", "Add */ where it ends.")
