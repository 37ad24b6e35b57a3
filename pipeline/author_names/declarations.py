"""Finds what one text declares, and where each declaration holds: GLSL, HLSL, Slang and WGSL, by their words alone.

The text is read as its author wrote it, before any preprocessor: both branches of a condition count, and a declaration
that only a macro makes is not seen.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from texelscope.pipeline.author_names.tokens import TextToken, partners, tokens_of

Kind = Literal["macro", "function", "type", "block", "variable", "parameter", "member"]

# Words before a type, and words that no declaration follows.
_KEYWORDS = """
attribute break buffer case cbuffer centroid class coherent const continue default discard do else enum export extern
flat for globallycoherent goto groupshared highp if import in inline inout invariant layout linear lowp mediump module
namespace nointerpolation noperspective out override packed packoffset patch precise precision public readonly register
restrict return row_major column_major sample shared smooth snorm static struct switch tbuffer typedef uniform unorm
unsigned using varying volatile while writeonly
"""
_NOT_A_TYPE = frozenset(_KEYWORDS.split())
_BUILT_IN_TYPE = re.compile(
    r"(?:void|bool|half|double|auto|var|let|(?:min\d+)?(?:float|int|uint)(?:\d+_t)?|[biud]?vec[234]|d?mat[234](?:x[234])?"
    r"|(?:bool|u?int|float|half|double)[1-4](?:x[1-4])?|[iu]?(?:sampler|image|texture|subpassInput)(?:[1-3]D|Cube|Buffer)\w*)\Z"
)
# `cbuffer` and `tbuffer` are blocks by themselves; the others are, before a name and a brace.
_BLOCKS = frozenset({"uniform", "buffer", "in", "out", "cbuffer", "tbuffer", "ConstantBuffer"})
_WGSL_VALUES = frozenset({"let", "const", "override"})


@dataclass(frozen=True)
class NameDeclaration:
    """A name that a text declares, from the letter `start` to the one before `stop`."""

    name: str
    kind: Kind
    start: int
    stop: int


@dataclass
class DeclaredScope:
    """A part of a text, from the letter `start` to the one before `stop`, with what it declares, by name."""

    start: int
    stop: int
    names: dict[str, list[NameDeclaration]] = field(default_factory=dict)

    def add(self, token: TextToken, kind: Kind) -> None:
        """Adds a declaration."""
        self.names.setdefault(token.text, []).append(NameDeclaration(token.text, kind, token.start, token.stop))


@dataclass(frozen=True)
class TextNames:
    """What a text declares: `scopes`, the whole text first, and `members` of structures and of blocks with a name.

    `tokens` are those of the text, in order.
    """

    tokens: tuple[TextToken, ...]
    scopes: tuple[DeclaredScope, ...]
    members: tuple[NameDeclaration, ...]

    @property
    def outermost(self) -> DeclaredScope:
        """The scope of what is declared outside all functions."""
        return self.scopes[0]

    def token_at(self, place: int) -> TextToken | None:
        """Returns the name at a letter of the text, or just before it; None where there is none."""
        return next((each for each in self.tokens if each.start <= place <= each.stop and each.is_name), None)

    def is_member(self, token: TextToken) -> bool:
        """Whether a name is a member: it is declared as one, or stands behind a dot."""
        number = self._number(token)
        behind_dot = number > 0 and self.tokens[number - 1].text == "."
        return behind_dot or any(each.start == token.start for each in self.members)

    def scope_of(self, token: TextToken) -> DeclaredScope | None:
        """Returns the innermost scope that declares a name where the token stands; None where the text does not."""
        around = [each for each in self.scopes if each.start <= token.start < each.stop]
        for scope in sorted(around, key=lambda each: each.stop - each.start):
            found = scope.names.get(token.text, ())
            if found and (scope is self.outermost or any(each.start <= token.start for each in found)):
                return scope
        return None

    def uses(self, name: str) -> Iterator[TextToken]:
        """Yields where a name stands that is no member, declarations among them."""
        for token in self.tokens:
            if token.text == name and not self.is_member(token):
                yield token

    def uses_of_outer(self, name: str) -> Iterator[TextToken]:
        """Yields where a name stands that no inner scope declares."""
        return (each for each in self.uses(name) if self.scope_of(each) in (None, self.outermost))

    def uses_of_inner(self, name: str, scope: DeclaredScope) -> Iterator[TextToken]:
        """Yields where a name stands that a scope of this text declares."""
        return (each for each in self.uses(name) if self.scope_of(each) is scope)

    def _number(self, token: TextToken) -> int:
        return bisect_left(self.tokens, token.start, key=lambda each: each.start)


@lru_cache(maxsize=64)
def names_in(text: str, *, is_wgsl: bool = False) -> TextNames:
    """Returns what a text declares."""
    tokens = tokens_of(text)
    reader = _Reader(text, tokens)
    reader.macros()
    if is_wgsl:
        reader.read_wgsl()
    else:
        reader.read()
    return TextNames(tokens, tuple(reader.scopes), tuple(reader.members))


class _Reader:
    """Reads the tokens of one text outside directives, in order."""

    def __init__(self, text: str, tokens: Sequence[TextToken]) -> None:
        self._all = tokens
        self._tokens = [each for each in tokens if each.directive < 0]
        self._partners = partners(self._tokens)
        self.scopes = [DeclaredScope(0, len(text) + 1)]
        self.members: list[NameDeclaration] = []
        self._skipped: set[int] = set()  # numbers of names that are members

    # -- directives ----------------------------------------------------------------------------------------

    def macros(self) -> None:
        """Notes what `#define` defines, and the parameters within its directive."""
        lines: dict[int, list[TextToken]] = {}
        for token in self._all:
            if token.directive >= 0:
                lines.setdefault(token.directive, []).append(token)
        for line in lines.values():
            words = [each.text for each in line]
            if words[1:2] != ["define"] or len(line) < 3 or not line[2].is_name:
                continue
            self.scopes[0].add(line[2], "macro")
            if len(line) > 3 and words[3] == "(" and line[3].start == line[2].stop and ")" in words:
                own = DeclaredScope(line[3].start, line[-1].stop)
                for token in line[4 : words.index(")")]:
                    if token.is_name:
                        own.add(token, "parameter")
                self.scopes.append(own)

    # -- languages like C ----------------------------------------------------------------------------------

    def read(self) -> None:
        """Notes what a text of GLSL, HLSL or Slang declares."""
        tokens = self._tokens
        for number, token in enumerate(tokens):
            if token.text == "{" and number in self._partners:
                self._open(token.start, tokens[self._partners[number]].stop)
            elif token.text == "for" and self._text(number + 1) == "(":
                self._open(token.start, self._end_of_statement(number))
            elif token.is_name and number not in self._skipped:
                self._name(number)

    def _name(self, number: int) -> None:
        token, before = self._tokens[number], self._text(number - 1)
        opening = self._brace_behind(number)
        if opening is not None and (before in ("struct", "cbuffer", "tbuffer") or self._is_block(number)):
            self._structure(number, opening)
        elif self._is_declared(number):
            if self._text(number + 1) == "(" and self._depth(token) == 0:
                self._function(number)
            else:
                scope = self._innermost(token)
                kind: Kind = "parameter" if scope.start < token.start and self._is_parameter(number) else "variable"
                scope.add(token, kind)
                if kind == "variable":
                    for other in self._further(number):
                        scope.add(self._tokens[other], kind)

    def _brace_behind(self, number: int) -> int | None:
        """Returns the number of the brace behind a name, or behind its `: register(b0)`; None without one."""
        place = number + 1
        if self._text(place) == ":" and self._text(number - 1) in ("struct", "cbuffer", "tbuffer"):
            while self._text(place) not in ("{", ";", ""):
                place += 1
        return place if self._text(place) == "{" else None

    def _is_declared(self, number: int) -> bool:
        """Whether the name at a number stands behind a type, and is none."""
        word = self._tokens[number].text
        if word in _NOT_A_TYPE or _BUILT_IN_TYPE.match(word) or number == 0:
            return False
        before = self._tokens[number - 1]
        if before.text == "]" and number - 1 in self._partners:
            opening = self._partners[number - 1]
            return opening > 0 and self._is_type(opening - 1)
        if before.text == ">":
            return self._is_generic(number - 1)
        return before.is_name and self._is_type(number - 1)

    def _is_type(self, number: int) -> bool:
        token = self._tokens[number]
        return token.is_name and token.text not in _NOT_A_TYPE and self._text(number - 1) != "."

    def _is_generic(self, number: int) -> bool:
        """Whether the sign > at a number ends the parameters of a type: `Texture2D<float4>`."""
        depth, place = 1, number - 1
        while place > 0 and depth and number - place < 12:
            word = self._tokens[place].text
            depth += (word == ">") - (word == "<")
            if word in (";", "{", "}", "=", "(", ")"):
                return False
            place -= 1
        name = self._tokens[place]
        return not depth and name.is_name and (name.text[0].isupper() or name.text in ("vector", "matrix"))

    def _is_block(self, number: int) -> bool:
        """Whether a name at a number, which a brace follows, is an interface block's."""
        place = number - 1
        while place >= 0 and self._tokens[place].text not in (";", "{", "}"):
            word = self._tokens[place].text
            if word in _BLOCKS:
                return True
            place = self._partners.get(place, place) - 1 if word == ")" else place - 1
        return False

    def _structure(self, number: int, opening: int) -> None:
        """Notes a structure or a block, its members, and the names behind its brace."""
        tokens = self._tokens
        closing = self._partners.get(opening)
        if closing is None:
            return
        scope = self._innermost(tokens[number])
        is_block = self._text(number - 1) != "struct"
        scope.add(tokens[number], "block" if is_block else "type")
        is_plain = self._text(number - 1) in ("cbuffer", "tbuffer")
        has_name = not is_block or (closing + 1 < len(tokens) and tokens[closing + 1].is_name and not is_plain)
        place = opening + 1
        while place < closing:
            if tokens[place].is_name and self._is_declared(place):
                for each in (place, *self._further(place)):
                    self._skipped.add(each)
                    token = tokens[each]
                    if has_name:
                        self.members.append(NameDeclaration(token.text, "member", token.start, token.stop))
                    else:
                        scope.add(token, "variable")
            place += 1
        if has_name and closing + 1 < len(tokens) and tokens[closing + 1].is_name:
            for each in (closing + 1, *self._further(closing + 1)):
                self._skipped.add(each)
                scope.add(tokens[each], "variable")

    def _function(self, number: int) -> None:
        """Notes a function, and opens the scope of its parameters and its body."""
        tokens, opening = self._tokens, number + 1
        self._innermost(tokens[number]).add(tokens[number], "function")
        closing = self._partners.get(opening)
        if closing is None:
            return
        place = closing + 1
        while place < len(tokens) and tokens[place].text not in ("{", ";", "}"):
            place += 1
        stop = tokens[closing].stop
        if place < len(tokens) and tokens[place].text == "{" and place in self._partners:
            stop = tokens[self._partners[place]].stop
        self._open(tokens[opening].start, stop)

    def _is_parameter(self, number: int) -> bool:
        """Whether a name stands in the parentheses behind a function's name."""
        place = number - 1
        while place >= 0 and self._tokens[place].text not in (";", "{", "}"):
            if place in self._partners and self._tokens[place].text in (")", "]"):
                place = self._partners[place]
            elif self._tokens[place].text == "(":
                return self._text(place - 1) != "for"
            place -= 1
        return False

    def _further(self, number: int) -> Iterator[int]:
        """Yields the numbers of further names of the declaration that declares the name at a number."""
        tokens, place = self._tokens, number + 1
        while place < len(tokens) and tokens[place].text not in (";", ")", "}"):
            if tokens[place].text in ("(", "[", "{"):
                place = self._partners.get(place, len(tokens))
            elif tokens[place].text == "," and place + 1 < len(tokens) and tokens[place + 1].is_name:
                if place + 2 < len(tokens) and tokens[place + 2].is_name:
                    return  # the next parameter, of another type
                yield place + 1
            place += 1

    # -- WGSL ----------------------------------------------------------------------------------------------

    def read_wgsl(self) -> None:
        """Notes what a text of WGSL declares."""
        tokens = self._tokens
        for number, token in enumerate(tokens):
            before = self._text(number - 1)
            if token.text == "{" and number in self._partners:
                self._open(token.start, tokens[self._partners[number]].stop)
            elif token.text == "for" and self._text(number + 1) == "(":
                self._open(token.start, self._end_of_statement(number))
            elif not token.is_name or number in self._skipped:
                continue
            elif before == "fn":
                self._function(number)
            elif before in ("struct", "alias"):
                self._innermost(token).add(token, "type")
                if self._text(number + 1) == "{" and number + 1 in self._partners:
                    self._members_of_wgsl(number + 1)
            elif before in _WGSL_VALUES or before == "var" or (before == ">" and self._is_var(number - 1)):
                if token.text not in _WGSL_VALUES:
                    self._innermost(token).add(token, "variable")
            elif self._text(number + 1) == ":" and self._is_parameter(number):
                self._innermost(token).add(token, "parameter")

    def _is_var(self, number: int) -> bool:
        place = number
        while place > 0 and self._tokens[place].text != "<" and number - place < 6:
            place -= 1
        return self._text(place - 1) == "var"

    def _members_of_wgsl(self, opening: int) -> None:
        for number in range(opening + 1, self._partners[opening]):
            token = self._tokens[number]
            if token.is_name and self._text(number + 1) == ":":
                self._skipped.add(number)
                self.members.append(NameDeclaration(token.text, "member", token.start, token.stop))

    # -- both ----------------------------------------------------------------------------------------------

    def _text(self, number: int) -> str:
        return self._tokens[number].text if 0 <= number < len(self._tokens) else ""

    def _open(self, start: int, stop: int) -> None:
        self.scopes.append(DeclaredScope(start, stop))

    def _innermost(self, token: TextToken) -> DeclaredScope:
        around = (each for each in self.scopes if each.start <= token.start < each.stop)
        return min(around, key=lambda each: each.stop - each.start)

    def _depth(self, token: TextToken) -> int:
        return sum(each.start <= token.start < each.stop for each in self.scopes) - 1

    def _end_of_statement(self, number: int) -> int:
        """Returns the letter behind the statement that begins at a number."""
        tokens = self._tokens
        while number < len(tokens):
            word = tokens[number].text
            if word == "{":
                return tokens[self._partners.get(number, len(tokens) - 1)].stop
            if word == ";":
                return tokens[number].stop
            number = self._partners.get(number, number) + 1 if word in ("(", "[") else number + 1
        return tokens[-1].stop if tokens else 0
