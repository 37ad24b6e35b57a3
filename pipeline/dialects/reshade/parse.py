"""Parses a ReShade effect: takes its textures, samplers, uniforms and techniques out of the text; what stays is HLSL.

Each is replaced by blanks, so that every other token stays in its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from texelscope.pipeline.dialects.mpv.blocks import HookParameter
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.reshade.effect import BACK_BUFFER, DeclaredObject, Property, ReshadeEffect
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.rows import rows_of
from texelscope.pipeline.glsl.macros import MacroError, expand_all
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import SourceFile

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[fFuU]?|::|\S')
_KINDS = {"texture": "texture", "texture2D": "texture", "sampler": "sampler", "sampler2D": "sampler",
          "storage": "storage", "storage2D": "storage"}  # fmt: skip
_OTHER_KINDS = ("texture1D", "texture3D", "sampler1D", "sampler3D", "storage1D", "storage3D")
_SCALARS = {"float": "float", "int": "int", "uint": "uint", "bool": "int"}
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?[fFuU]?")
_TRUTHS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    stop: int


def parse(text: str, file: str, expanded: str, files: Sequence[SourceFile], macros: dict[str, str]) -> ReshadeEffect:
    """Parses an effect that errors call `file`; `expanded` is its text with includes in place and `#line`s of `files`.

    Raises TexelscopeError, with the line, for what is declared in another way, or not supported.
    """
    rows = rows_of(expanded)
    plain = "\n".join(row.text for row in rows)
    places = tuple(row.place for row in rows)
    paths = {each.number: each.path for each in files}
    try:
        code = without_comments(expand_all(plain, macros))
    except MacroError as error:
        raise _place(places, paths, error.line, file).fault(
            "macros that are read here", f"{error.name}, which {error.reason}", "Write it out."
        ) from error
    parsing = _Parsing(code, places, paths, file)
    parsing.run()
    if not parsing.passes:
        raise FileLine(file, 1).fault("a technique with a pass", "none", "Add one, or open another file.")
    return ReshadeEffect(
        path=file,
        text=text,
        code=parsing.rewritten(),
        places=places,
        textures=MappingProxyType(parsing.objects["texture"]),
        samplers=MappingProxyType(parsing.objects["sampler"]),
        storages=MappingProxyType(parsing.objects["storage"]),
        parameters=tuple(parsing.parameters),
        passes=tuple(parsing.passes),
    )


def _place(places: Sequence[tuple[int, int] | None], paths: dict[int, str], row: int, file: str) -> FileLine:
    place = places[min(max(row, 0), len(places) - 1)] if places else None
    return FileLine(file, 1) if place is None else FileLine(paths.get(place[0], file), place[1])


@dataclass
class _Parsing:
    code: str
    places: Sequence[tuple[int, int] | None]
    paths: dict[int, str]
    file: str
    objects: dict[str, dict[str, DeclaredObject]] = field(
        default_factory=lambda: {"texture": {}, "sampler": {}, "storage": {}}
    )
    parameters: list[HookParameter] = field(default_factory=list)
    passes: list[DeclaredObject] = field(default_factory=list)
    blanks: list[tuple[int, int, str]] = field(default_factory=list)
    at: int = 0

    def run(self) -> None:
        self.tokens = [_Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(self.code)]
        depth = 0
        open_namespaces: list[int] = []
        while self.at < len(self.tokens):
            text, is_outside = self._text(), depth == len(open_namespaces)
            if text == "namespace" and is_outside:
                self.at += 2
                self._expect("{")
                open_namespaces.append(depth)
                depth += 1
            elif is_outside and text in _KINDS and self._text(2) in ("{", ":", "<", ";"):
                self._object(_KINDS[text])
            elif is_outside and text in _OTHER_KINDS:
                raise self._wrong("textures of two dimensions", f"'{text}'", "Use texture2D.")
            elif is_outside and text == "uniform":
                self._uniform()
            elif is_outside and text == "technique":
                self._technique()
            elif text == "::":
                self._unqualified()
            else:
                depth += (text == "{") - (text == "}")
                if text == "}" and open_namespaces and depth == open_namespaces[-1]:
                    open_namespaces.pop()
                self.at += 1

    def rewritten(self) -> str:
        """Returns the code with what was declared taken out."""
        parts, last = [], 0
        for start, stop, new in sorted(self.blanks):
            if start < last:
                continue
            kept = re.sub(r"[^\n]", " ", self.code[start:stop])
            parts += [self.code[last:start], new + kept[len(new) :]]
            last = stop
        return "".join([*parts, self.code[last:]])

    # -- tokens ------------------------------------------------------------------------------------------------

    def _text(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].text if at < len(self.tokens) else ""

    def _place(self) -> FileLine:
        offset = self.tokens[min(self.at, len(self.tokens) - 1)].start
        return _place(self.places, self.paths, self.code.count("\n", 0, offset), self.file)

    def _wrong(self, expected: str, got: str, do_next: str = "Correct the line.") -> TexelscopeError:
        return self._place().fault(expected, got, do_next)

    def _expect(self, text: str) -> None:
        if self._text() != text:
            raise self._wrong(f"'{text}'", f"'{self._text()}'" if self._text() else "the end of the file")
        self.at += 1

    def _name(self) -> str:
        name = self._text()
        if not re.fullmatch(r"[A-Za-z_]\w{0,99}", name):
            raise self._wrong("a name", f"'{name}'" if name else "the end of the file")
        self.at += 1
        return name

    def _skip_annotations(self) -> dict[str, str]:
        """Returns what stands between < and > behind a name, by its names."""
        found: dict[str, str] = {}
        if self._text() != "<":
            return found
        self.at += 1
        while self._text() != ">":
            if not self._text():
                raise self._wrong("'>' behind annotations", "the end of the file")
            if self._text(1) == "=":
                key = self._text()
                self.at += 2
                found[key] = self._value()
            else:
                self.at += 1
        self.at += 1
        return found

    def _value(self) -> str:
        """Returns the tokens up to the semicolon, which it takes too."""
        words = []
        while self._text() != ";":
            if not self._text() or self._text() in "{}":
                raise self._wrong("';' behind a value", f"'{self._text()}'" if self._text() else "the end of the file")
            words.append(self._text())
            self.at += 1
        self.at += 1
        return " ".join(words)

    def _properties(self) -> dict[str, Property]:
        found: dict[str, Property] = {}
        self._expect("{")
        while self._text() != "}":
            place, name = self._place(), self._name()
            self._expect("=")
            found[name] = Property(self._value(), place)
        self.at += 1
        return found

    def _blank(self, first: int, new: str = "") -> None:
        self.blanks.append((self.tokens[first].start, self.tokens[self.at - 1].stop, new))

    # -- declarations ------------------------------------------------------------------------------------------

    def _object(self, kind: str) -> None:
        first, place = self.at, self._place()
        self.at += 1
        name = self._name()
        self._skip_annotations()
        semantic = ""
        if self._text() == ":":
            self.at += 1
            semantic = self._name()
        properties = self._properties() if self._text() == "{" else {}
        if self._text() == ";":
            self.at += 1
        if any(name in each for each in self.objects.values()):
            raise place.fault("a unique name", f"a second '{name}'", "Rename one.")
        self.objects[kind][name] = DeclaredObject(kind, name, place, MappingProxyType(properties), semantic.upper())
        self._blank(first)

    def _uniform(self) -> None:
        first, place = self.at, self._place()
        self.at += 1
        kind, name = self._name(), self._name()
        if kind not in _SCALARS or self._text() == "[":
            before = self.at
            notes = self._skip_annotations()
            if notes.get("source"):
                raise place.fault("uniforms that a user sets", f"source = {notes['source']}", "Use a constant.")
            if self.at > before:
                self.blanks.append((self.tokens[before].start, self.tokens[self.at - 1].stop, ""))
            if self._text() == ";":
                raise place.fault(f"a value of '{name}'", "none", "Give it one: = …;")
            # A vector is no parameter: it stays what the file says, a constant in its place.
            self.blanks.append((self.tokens[first].start, self.tokens[first].stop, "static"))
            return
        notes = self._skip_annotations()
        if "source" in notes:
            raise place.fault("uniforms that a user sets", f"source = {notes['source']}", "Use a constant.")
        value = 0.0
        if self._text() == "=":
            self.at += 1
            value = self._number(self._value(), place)
        else:
            self._expect(";")
        low, high = (self._limit(notes, key, place) for key in ("ui_min", "ui_max"))
        label = notes.get("ui_label", "").strip('"')
        shown = "float" if kind == "float" else "int"
        self.parameters.append(
            HookParameter(name, place, shown, value, low, high, label, in_file=value)  # type: ignore[arg-type]
        )
        self._blank(first)

    def _limit(self, notes: dict[str, str], key: str, place: FileLine) -> float | None:
        return self._number(notes[key], place) if key in notes else None

    def _number(self, text: str, place: FileLine) -> float:
        plain = text.replace(" ", "")
        if plain in _TRUTHS:
            return _TRUTHS[plain]
        if not _NUMBER.fullmatch(plain):
            raise place.fault("a number", f"'{text}'", "Write it as one number.")
        return float(plain.rstrip("fFuU"))

    def _technique(self) -> None:
        first = self.at
        self.at += 1
        technique = self._name()
        self._skip_annotations()
        self._expect("{")
        while self._text() != "}":
            place = self._place()
            if self._text() != "pass":
                raise self._wrong(
                    "'pass' in a technique", f"'{self._text()}'" if self._text() else "the end of the file"
                )
            self.at += 1
            name = technique if self._text() == "{" else self._name()
            self._skip_annotations()
            self.passes.append(DeclaredObject("pass", name, place, MappingProxyType(self._properties())))
        self.at += 1
        self._blank(first)

    def _unqualified(self) -> None:
        """Takes the namespace off the name of what was taken out: there is one of each name."""
        name = self._text(1)
        is_object = name == BACK_BUFFER or any(name in each for each in self.objects.values())
        if self.at and (is_object or name in {each.name for each in self.parameters}):
            self.blanks.append((self.tokens[self.at - 1].start, self.tokens[self.at].stop, ""))
        self.at += 1
