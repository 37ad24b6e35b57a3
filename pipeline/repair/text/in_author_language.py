"""Writes edits of translated text into the author's line, token by token, where the same tokens stand there.

What comes out is a proposal: whoever asks translates the file anew with it, and sees whether that says the same.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.plan import ProgramSource

_TOKEN = re.compile(
    r"[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[uUfFhHlL]*|<<=|>>=|[-+*/%&|^=<>!]=|&&|\|\||<<|>>|\+\+|--|\S"
)
_NUMBER = re.compile(r"(?:\d|\.\d)")
_SUFFIX = re.compile(r"[uUfFhHlL]+$")
_COUNTED = re.compile(r"(?P<name>.+?)_[0-9]+")
_VECTOR = re.compile(r"(?P<kind>[iub]?)vec(?P<size>[234])")
_KINDS = {"": "float", "i": "int", "u": "uint", "b": "bool"}
# Functions of GLSL by those of HLSL.
_CALLED = {"mix": "lerp", "fract": "frac", "inversesqrt": "rsqrt", "fma": "mad", "dFdx": "ddx", "dFdy": "ddy"}
_ELEMENTS = "_elements"


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    stop: int


def in_author_language(program: ProgramSource, edits: Sequence[LineEdit]) -> Iterator[tuple[LineEdit, ...]]:
    """Yields edits of the author's lines that may say the same; none if a line has not the tokens that change."""
    texts = {file.path: file.text.split("\n") for file in program.files}
    names = _names(program, texts)
    found: list[list[LineEdit]] = []
    for edit in edits:
        lines = texts.get(edit.file)
        if lines is None or edit.before is None or edit.after is None or not 0 < edit.line <= len(lines):
            return
        line = lines[edit.line - 1].rstrip("\r")
        after = _edited(line, edit.before, edit.after, names)
        every = [after] if after is not None else _with_a_product_turned(line) if _turns(edit) else []
        found.append([LineEdit(edit.file, edit.line, line, each) for each in every if each != line])
    yield from (tuple(dict.fromkeys(each)) for each in itertools.product(*found))


def _turns(edit: LineEdit) -> bool:
    """Whether an edit has the same words in another order."""
    before, after = (
        sorted(token.text for token in _tokens(text or "") if token.text not in "()")
        for text in (edit.before, edit.after)
    )
    return before == after


def _with_a_product_turned(line: str) -> list[str]:
    """Returns HLSL's line with the two factors of one product exchanged, for each `mul(a, b)` that is in it."""
    tokens, found = _tokens(line), []
    for number, each in enumerate(tokens):
        if each.text != "mul":
            continue
        depth, ends = 0, [number + 1]
        for place, token in enumerate(tokens[number + 1 :], number + 1):
            depth += (token.text in "([{") - (token.text in ")]}")
            if depth == 0 or (depth == 1 and token.text == ","):
                ends.append(place)
            if depth == 0:
                break
        if depth == 0 and len(ends) == 3:
            opened, comma, closed = (tokens[end] for end in ends)
            first, second = line[opened.stop : comma.start].strip(), line[comma.stop : closed.start].strip()
            found.append(f"{line[: opened.stop]}{second}, {first}{line[closed.start :]}")
    return found


def says_the_same(text: str, other: str) -> bool:
    """Whether two translations have the same tokens, but for parentheses, how numbers are written and `#line`s.

    Blocks and other declarations with a `layout` may stand in another order: Slang writes them as they are used.

    An index is the same as a whole number without a sign, which Slang writes out.

    A program that says something else may never end.
    """
    return _said(text) == _said(other)


def _said(text: str) -> list[str]:
    rows = (row for row in text.split("\n") if not row.startswith("#line"))
    tokens = [_plain_number(token.text) for row in rows for token in _tokens(row)]
    said = [token for token in tokens if token not in "()"]
    plain = [token for number, token in enumerate(said) if token != "uint" or said[number - 1] != "["]
    parts = _outermost(plain)
    declared = sorted(part for part in parts if part[0] == "layout")
    return [token for part in (*declared, *(part for part in parts if part[0] != "layout")) for token in part]


def _outermost(tokens: Sequence[str]) -> list[list[str]]:
    """Returns the tokens of each declaration and each function, one by one."""
    found: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        found[-1].append(token)
        depth += (token == "{") - (token == "}")
        if depth == 0 and token == ";":
            found.append([])
    return [each for each in found if each]


def _edited(line: str, before: str, after: str, names: Mapping[str, str]) -> str | None:
    """Returns the author's line with what changes between the two translated ones."""
    own, old, new = _tokens(line), _tokens(before), _tokens(after)
    place = _aligned([_plain(each.text, names) for each in old], [_plain(each.text, names) for each in own])
    changes = SequenceMatcher(None, [each.text for each in old], [each.text for each in new], autojunk=False)
    spans: list[tuple[int, int, str]] = []
    for kind, first, stop, start, end in changes.get_opcodes():
        if kind == "equal":
            continue
        where = _span(own, place, first, stop)
        if where is None:
            return None
        text = _written(after, new[start:end], names)
        if kind == "delete" and where[1] < len(line):  # with the blanks in front of it
            where = (len(line[: where[0]].rstrip()) or where[0], where[1])
        gap = after[new[start - 1].stop : new[start].start] if kind == "insert" and start else ""
        behind = after[new[end - 1].stop : new[end].start] if kind == "insert" and end < len(new) else ""
        text += "" if line[where[1] : where[1] + 1].isspace() else behind
        spans.append((*where, gap + text))
    for begin, finish, text in sorted(spans, reverse=True):
        line = line[:begin] + text + line[finish:]
    return line


def _span(own: Sequence[_Token], place: Mapping[int, int], first: int, stop: int) -> tuple[int, int] | None:
    """Returns the columns, in the author's line, of tokens of the translated one; of an insertion, where it goes."""
    if first == stop:
        if first - 1 in place:
            column = own[place[first - 1]].stop
        elif first in place:
            column = own[place[first]].start
        else:
            return None
        return column, column
    places = [place.get(number, -1) for number in range(first, stop)]
    if -1 in places or places != list(range(places[0], places[0] + len(places))):
        return None
    return own[places[0]].start, own[places[-1]].stop


def _aligned(old: Sequence[str], own: Sequence[str]) -> Mapping[int, int]:
    """Maps the tokens of the translated line to the equal ones of the author's."""
    matcher = SequenceMatcher(None, old, own, autojunk=False)
    return {
        block.a + number: block.b + number for block in matcher.get_matching_blocks() for number in range(block.size)
    }


def _tokens(line: str) -> list[_Token]:
    code = re.sub(r"//.*", "", line)
    return [_Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(code)]


def _plain(text: str, names: Mapping[str, str]) -> str:
    """Returns a token as both languages have it."""
    return _plain_number(text) if _NUMBER.match(text) else _as_authors(text, names)


def _plain_number(text: str) -> str:
    """Returns a number as both languages have it, and any other token as it is."""
    if not _NUMBER.match(text) or text.startswith(("0x", "0X")):
        return text
    try:
        return repr(float(_SUFFIX.sub("", text)))
    except ValueError:
        return text


def _as_authors(text: str, names: Mapping[str, str]) -> str:
    """Returns a word of the translation as the author's language has it."""
    vector = _VECTOR.fullmatch(text)
    if vector is not None:
        return f"{_KINDS[vector['kind']]}{vector['size']}"
    return names.get(text) or _CALLED.get(text) or _own_name(text)


def _own_name(text: str) -> str:
    if text.endswith(_ELEMENTS):
        return text.removesuffix(_ELEMENTS)
    counted = _COUNTED.fullmatch(text)
    return counted["name"] if counted is not None else text


def _written(after: str, tokens: Sequence[_Token], names: Mapping[str, str]) -> str:
    """Returns new tokens in the author's words, with the blanks that are between them."""
    parts: list[str] = []
    last = tokens[0].start if tokens else 0
    for each in tokens:
        text = each.text
        text = _SUFFIX.sub("", text) if _NUMBER.match(text) and text[-1] in "uU" else _as_authors(text, names)
        parts += [after[last : each.start], text]
        last = each.stop
    return "".join(parts)


def _names(program: ProgramSource, texts: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Returns the author's names of what the translation names otherwise, by the lines in which one replaces the other.

    `gl_GlobalInvocationID` is what an author calls `id`.
    """
    counts: dict[str, Counter[str]] = {}
    for word, own in _replaced(program, texts):
        counts.setdefault(word, Counter())[own] += 1
    return {word: own.most_common(1)[0][0] for word, own in counts.items()}


def _replaced(program: ProgramSource, texts: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    for (file, number), row in zip(line_map(program), program.fragment.split("\n"), strict=True):
        lines = texts.get(file, ())
        if not 0 < number <= len(lines) or not row.strip() or row.startswith("#"):
            continue
        old, own = ([each.text for each in _tokens(text)] for text in (row, lines[number - 1]))
        plain, theirs = ([_plain(each, {}) for each in some] for some in (old, own))
        for kind, first, stop, start, end in SequenceMatcher(None, plain, theirs, autojunk=False).get_opcodes():
            is_word = kind == "replace" and stop - first == end - start == 1
            if is_word and old[first].isidentifier() and own[start].isidentifier():
                yield old[first], own[start]
