"""Expands the macros that read textures, so that each read is where its author calls the macro.

The meaning of a macro's body is only known at its use: which sampler, which lanes of the result, in which function.
So uses of macros whose body reads, or names a reader, are replaced by their text, as the preprocessor does
(OpenGL Shading Language 4.60, section 3.3: arguments first, then the result again without the macro itself). Other
macros stay, and lines stay in their places. Definitions under conditions that only the driver knows are not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from texelscope.pipeline.glsl.conditions import condition_value
from texelscope.pipeline.glsl.source_text import COMMENT, is_es

_TOKEN = re.compile(
    rf"(?P<comment>{COMMENT})"
    r"|(?P<newline>\n)"
    r"|(?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<number>\.?\d(?:[eE][+-]|[\w.])*)"
    r"|(?P<other>\#\#|\+\+|--|.)",
    re.DOTALL,
)
# Without uses to expand, the rest of a line is one token, up to what may be a comment or a line that goes on.
_LINE_PART = re.compile(
    rf"(?P<comment>{COMMENT})"
    r"|(?P<newline>\n)"
    r"|(?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)"
    r"|(?P<other>\#\#|[^\s/\\\#][^\n/\\\#]*|.)",
    re.DOTALL,
)
_SILENT = ("comment", "newline", "space")
_DEFINE = re.compile(r"([A-Za-z_]\w*)(\([^)]*\))?(.*)", re.DOTALL)
# How many macros may stand in one another's text.
_DEEPEST = 20
NO_MACROS: Mapping[str, str] = MappingProxyType({})
_IF = re.compile(r"#[ \t]{0,99}if")

# The most characters of one expanded use of a macro.
_LONGEST_USE = 1 << 16


class MacroError(Exception):
    """Raised for a macro that reads and cannot be expanded: has its `name`, the 0-based `line` of the use, and why."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        super().__init__(name, line, reason)
        self.name, self.line, self.reason = name, line, reason


@dataclass(frozen=True)
class MacroUse:
    """Describes an expanded use of a macro: bytes `start` to `stop` of the new text, and the former text."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True)
class Expanded:
    """Holds a shader's text without uses of macros that read, with as many lines as before."""

    text: str
    uses: tuple[MacroUse, ...] = ()


class _Token(NamedTuple):  # a text has hundreds of thousands, and a frozen dataclass takes three times as long
    kind: str
    text: str


@dataclass(frozen=True)
class _Macro:
    """Holds a macro; `parameters` are None for one without parentheses."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[_Token, ...]


@dataclass
class _Branches:
    """An open #if: whether its text counts (None: unknown), whether an earlier branch did, and with all around it."""

    here: bool | None
    before: bool | None
    counts: bool | None


def expand_reads(text: str, reading: Collection[str], *, given: Collection[str] = ()) -> Expanded:
    """Expands the macros in `text` whose body has one of the words `reading`, directly or through another macro.

    Macros that get one of the words `given` as an argument are expanded too.

    Raises MacroError for a macro with several definitions that the text does not decide between, one that is passed
    by name, or one called with a wrong number of arguments.
    """
    if "#" not in text or "define" not in text:
        return Expanded(text)
    return _Expander(text, frozenset(reading), frozenset(given)).run()


def expand_all(text: str, before: Mapping[str, str] = NO_MACROS) -> str:
    """Returns `text` with every macro expanded, without directives and their inactive branches.

    `before` are the macros that text in front of it defines, with their bodies: conditions ask for them, uses of them
    stay. The number of lines stays. Names that only a driver knows (`GL_…`, extensions) count as undefined. Raises
    MacroError as `expand_reads` does, and for an unsupported condition.
    """
    return _Expander(text, frozenset(), everything=True, before=before).run().text if "#" in text else text


@lru_cache(maxsize=8)
def without_inactive_branches(text: str) -> str:
    """Returns `text` without what no compiler reads: branches whose condition its own definitions decide.

    The number of lines stays, and so do directives, and branches that depend on the driver.
    """
    if "#if" not in text and not _IF.search(text):
        return text
    return _Expander(text, frozenset(), drops_inactive=True).run().text


@dataclass
class _Expander:
    source: str
    reading: frozenset[str]
    given: frozenset[str] = frozenset()
    everything: bool = False
    drops_inactive: bool = False
    before: Mapping[str, str] = field(default_factory=lambda: NO_MACROS)
    macros: dict[str, list[_Macro]] = field(default_factory=dict)
    stack: list[_Branches] = field(default_factory=list)
    line: int = 0

    @cached_property
    def _is_es(self) -> bool:
        return is_es(self.source)

    def run(self) -> Expanded:
        expands = self.everything or bool(self.reading or self.given)
        tokens = list(_tokens(self.source, _TOKEN if expands else _LINE_PART))
        out: list[str] = []
        uses: list[MacroUse] = []
        length, position, fresh = 0, 0, True
        while position < len(tokens):
            token = tokens[position]
            if fresh and token.text == "#":
                stop = _end_of_line(tokens, position)
                made = "".join(each.text for each in tokens[position:stop])
                self._directive("".join(" " if each.kind == "comment" else each.text for each in tokens[position:stop]))
                made = "\n" * made.count("\n") if self.everything else made
                position = stop
            elif (self.everything and not self._counts()) or (self.drops_inactive and self._counts() is False):
                made = "\n" * token.text.count("\n")
                position += 1
            elif (
                expands
                and token.kind == "word"
                and self._counts() is not False
                and self._is_written_out(tokens, position)
            ):
                stop, made = self._use(tokens, position)
                written = "".join(each.text for each in tokens[position:stop])
                if stop > position + 1 or made != token.text:
                    uses.append(MacroUse(length, length + len(made.encode()), " ".join(written.split())))
                made += "\n" * (written.count("\n") - made.count("\n"))
                position = stop
            else:
                made = token.text
                position += 1
            self.line += made.count("\n")
            fresh = token.kind == "newline" or (fresh and token.kind in _SILENT)
            out.append(made)
            length += len(made.encode()) if expands else 0
        return Expanded("".join(out), tuple(uses))

    # -- directives ----------------------------------------------------------------------------------------

    def _directive(self, text: str) -> None:
        """`text` is without comments."""
        words = text.replace("\\\r\n", " ").replace("\\\n", " ")[1:].strip().split(None, 1)
        name, rest = (words[0] if words else ""), (words[1].strip() if len(words) > 1 else "")
        if name in ("if", "ifdef", "ifndef"):
            here = self._condition(name, rest)
            self.stack.append(_Branches(here, False, _both(self._counts(), here)))
        elif name in ("elif", "else") and self.stack:
            last = self.stack[-1]
            before = True if True in (last.before, last.here) else None if None in (last.before, last.here) else False
            here = self._condition("if", rest) if name == "elif" else True
            here = _both(here, None if before is None else not before)
            around = self.stack[-2].counts if len(self.stack) > 1 else True
            self.stack[-1] = _Branches(here, before, _both(around, here))
        elif name == "endif" and self.stack:
            self.stack.pop()
        elif name in ("define", "undef") and (counts := self._counts()) is not False:
            self._define(name, rest, certain=bool(counts))

    def _define(self, directive: str, rest: str, *, certain: bool) -> None:
        found = _DEFINE.match(rest)
        if found is None:
            return
        name, parameters, body = found.groups()
        known = [] if certain else self.macros.get(name, [])
        if directive == "define":
            names = None if parameters is None else tuple(each.strip() for each in parameters[1:-1].split(","))
            macro = _Macro(name, () if names == ("",) else names, tuple(_tokens(body.strip())))
            known = [each for each in known if each != macro] + [macro]
        self.macros[name] = known

    def _counts(self) -> bool | None:
        """Whether text here is compiled; None if that depends on unknown names."""
        return self.stack[-1].counts if self.stack else True

    def _condition(self, name: str, text: str) -> bool | None:
        known = self._decided(name, text)
        if known is None and self.everything and self._counts():
            raise MacroError(f"#{name}", self.line, f"has the condition '{text}', which is not supported")
        return known

    def _decided(self, name: str, text: str) -> bool | None:
        if name in ("ifdef", "ifndef"):
            known = self._is_defined(text)
            return known if name == "ifdef" or known is None else not known
        found: dict[str, int | None] = {}
        value = condition_value(text, self._is_defined, lambda name: self._number(name, found))
        return None if value is None else value != 0

    def _is_defined(self, name: str) -> bool | None:
        if name == "GL_ES":
            return self._is_es
        if name.startswith(("GL_", "__")):  # the driver's own, and its extensions'
            return False if self.everything else None
        return bool(self.macros.get(name, name in self.before))

    def _number(self, name: str, found: dict[str, int | None], depth: int = 0) -> int | None:
        """Returns the number of a macro, whose text may have others; `found` are those of this condition so far."""
        if name in found:
            return found[name]
        found[name] = None  # a macro of itself has none
        known = self.macros.get(name)
        body = self.before.get(name, "") if known is None else ""
        if known is not None and len(known) == 1 and known[0].parameters is None:
            body = "".join(" " if each.kind in _SILENT else each.text for each in known[0].body)
        if body and depth < _DEEPEST:
            found[name] = condition_value(body, self._is_defined, lambda other: self._number(other, found, depth + 1))
        return found[name]

    # -- uses ----------------------------------------------------------------------------------------------

    def _reads(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether `name` is a macro whose expansion reads."""
        if name in seen:
            return False
        if self.everything:
            return bool(self.macros.get(name))
        return any(
            token.text in self.reading or (token.kind == "word" and self._reads(token.text, seen | {name}))
            for macro in self.macros.get(name, ())
            for token in macro.body
        )

    def _is_written_out(self, tokens: Sequence[_Token], position: int) -> bool:
        """Whether the word at `position` is a macro that reads, or that gets something `given`."""
        name = tokens[position].text
        if self._reads(name) or not self.given or not self.macros.get(name):
            return self._reads(name)
        _, arguments = _arguments(tokens, position + 1)
        return any(token.text in self.given for argument in arguments or () for token in argument)

    def _use(self, tokens: Sequence[_Token], position: int, hidden: frozenset[str] = frozenset()) -> tuple[int, str]:
        """Returns the end of the macro's use at `position`, and its text."""
        name = tokens[position].text
        known = self.macros[name]
        if len(known) > 1:
            raise MacroError(name, self.line, "is defined in more than one way, by conditions that the driver decides")
        macro = known[0]
        if macro.parameters is None and self._is_alias(macro, hidden):
            renamed = [macro.body[0], *tokens[position + 1 :]]
            stop, made = self._use(renamed, 0, hidden | {name})
            return position + stop, made
        if macro.parameters is None:
            return position + 1, self._written_out(macro.body, hidden | {name})
        stop, arguments = _arguments(tokens, position + 1)
        if arguments is None:
            raise MacroError(name, self.line, "is passed by its name")
        if len(arguments) != len(macro.parameters):
            if macro.parameters or any(token.kind not in _SILENT for token in arguments[0]):
                raise MacroError(name, self.line, f"takes {len(macro.parameters)} arguments")
            arguments = []
        given = dict(zip(macro.parameters, arguments, strict=True))
        return stop, self._written_out(self._substituted(macro.body, given, hidden), hidden | {name})

    def _is_alias(self, macro: _Macro, hidden: frozenset[str]) -> bool:
        """Whether a macro is another's name, which takes the following arguments."""
        other = macro.body[0].text if len(macro.body) == 1 else ""
        takes = any(each.parameters is not None for each in self.macros.get(other, ()))
        return takes and other not in hidden

    def _substituted(
        self, body: Sequence[_Token], given: dict[str, list[_Token]], hidden: frozenset[str]
    ) -> list[_Token]:
        """Returns the body with expanded arguments for parameters; unexpanded beside `##`, which joins."""
        made: list[_Token] = []
        loud = [token for token in body if token.kind != "comment"]
        for number, token in enumerate(loud):
            around = [each.text for each in loud[max(number - 2, 0) : number + 3] if each.kind != "space"]
            if token.text == "##":
                continue
            if token.kind == "space" and "##" in (loud[number - 1].text, loud[min(number + 1, len(loud) - 1)].text):
                continue
            if token.kind != "word" or token.text not in given:
                made.append(token)
            elif "##" in around:
                made.extend(each for each in given[token.text] if each.kind not in _SILENT)
            else:
                made.extend(_tokens(self._written_out(given[token.text], hidden)))
        return list(_tokens("".join(token.text for token in made)))

    def _written_out(self, tokens: Sequence[_Token], hidden: frozenset[str]) -> str:
        """Returns the text of `tokens`, on one line, with its macros that read expanded."""
        made: list[str] = []
        position = 0
        while position < len(tokens):
            token = tokens[position]
            if token.kind == "word" and token.text not in hidden and self._is_written_out(tokens, position):
                position, text = self._use(tokens, position, hidden)
                made.append(text)
            else:
                made.append(" " if token.kind in _SILENT else token.text)
                position += 1
        text = "".join(made)
        if len(text) > _LONGEST_USE:  # macros of macros can double a text repeatedly
            raise MacroError(next(iter(hidden), ""), self.line, f"becomes more than {_LONGEST_USE} characters")
        return text


def _both(*known: bool | None) -> bool | None:
    if False in known:
        return False
    return None if None in known else True


def _tokens(text: str, pattern: re.Pattern[str] = _TOKEN) -> Iterator[_Token]:
    for match in pattern.finditer(text):
        yield _Token(match.lastgroup or "other", match.group())


def _end_of_line(tokens: Sequence[_Token], position: int) -> int:
    while position < len(tokens) and tokens[position].kind != "newline":
        position += 1
    return position


def _arguments(tokens: Sequence[_Token], position: int) -> tuple[int, list[list[_Token]] | None]:
    """Returns the end of a macro's arguments, and these; None without an opening or a closing parenthesis."""
    start = position
    while position < len(tokens) and tokens[position].kind in _SILENT:
        position += 1
    if position == len(tokens) or tokens[position].text != "(":
        return start, None
    arguments: list[list[_Token]] = [[]]
    depth = 0
    for number in range(position, len(tokens)):
        token = tokens[number]
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "other" else 0
        if depth == 0:
            return number + 1, arguments
        if depth == 1 and token.text == ",":
            arguments.append([])
        elif number > position:
            arguments[-1].append(token)
    return start, None
