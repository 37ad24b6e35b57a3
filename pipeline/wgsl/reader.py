"""Reads tokens one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.tokens import Kind, WgslToken

# How deep expressions and blocks may lie in each other.
_DEEPEST = 120


class TokenReader:
    """Holds the tokens of a text and how far they are read."""

    def __init__(self, tokens: Sequence[WgslToken]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    @property
    def next(self) -> WgslToken:
        """The token that is read next."""
        return self._tokens[self._at]

    def is_at_end(self) -> bool:
        """Whether everything is read."""
        return self.next.kind == "end"

    @property
    def row(self) -> int:
        """The 0-based row of the next token."""
        return self.next.row

    def behind(self, count: int = 1) -> WgslToken:
        """Returns the token so many behind the next one."""
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def is_at(self, text: str) -> bool:
        """Whether the next token is this sign or word."""
        return self.next.text == text and self.next.kind != "end"

    def take(self) -> WgslToken:
        """Reads one token; the end is never passed."""
        token = self.next
        if token.kind != "end":
            self._at += 1
        return token

    def took(self, text: str) -> bool:
        """Reads a sign or word if it is next, and says whether it was."""
        if self.is_at(text):
            self._at += 1
            return True
        return False

    def expect(self, text: str, where: str) -> WgslToken:
        """Reads a sign or word. Raises AuthorTextError if another is next; `where` says what it belongs to."""
        if not self.is_at(text):
            raise self.refused(f"'{text}' {where}")
        return self.take()

    def expect_kind(self, kind: Kind, what: str) -> WgslToken:
        """Reads a token of a kind. Raises AuthorTextError if another is next."""
        if self.next.kind != kind:
            raise self.refused(what)
        return self.take()

    def sign(self) -> str:
        """Returns the sign that is next, of which one or two of `>` and `=` may be tokens of their own."""
        text, behind, count = self.next.text, self.next, 1
        if text != ">":
            return text if self.next.kind == "sign" else ""
        while count < 3 and self.behind(count).start == behind.end and self.behind(count).text in (">", "=", "=="):
            behind = self.behind(count)
            text += behind.text
            count += 1
            if behind.text != ">":
                break
        return text if text in (">", ">>", ">=", ">>=") else ">"

    def take_sign(self, sign: str) -> None:
        """Reads a sign that `sign` returned."""
        taken = ""
        while taken != sign:
            taken += self.take().text

    def deeper(self) -> None:
        """Says that what is read lies one level deeper. Raises AuthorTextError where that is too deep."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise AuthorTextError(
                self.row, f"at most {_DEEPEST} expressions or blocks in each other", "more", "Name a part by a let."
            )

    def back(self) -> None:
        """Says that what is read next lies one level less deep."""
        self._depth -= 1

    def refused(self, expected: str) -> AuthorTextError:
        """Returns the error that something else is next."""
        got = self.next.text if self.next.kind == "end" else f"'{self.next.text}'"
        return AuthorTextError(self.row, expected, got, "Correct the line, or the one before it.")
