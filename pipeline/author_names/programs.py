"""Finds names over the files of programs: what a shader includes, and the programs that share a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.author_names.declarations import NameDeclaration, TextNames, names_in

_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>)', re.MULTILINE)


@dataclass(frozen=True)
class NamePlace:
    """Where a name stands: letters `start` to the one before `stop` of a file's text."""

    path: Path
    start: int
    stop: int


@dataclass(frozen=True)
class ShaderTexts:
    """The texts of shaders by absolute path, and the files of each program that is made of some of them."""

    texts: Mapping[Path, str]
    programs: Sequence[frozenset[Path]]

    def names(self, path: Path) -> TextNames:
        """Returns what a file declares."""
        return names_in(self.texts[path], is_wgsl=path.suffix.lower() == ".wgsl")

    def beside(self, path: Path) -> tuple[Path, ...]:
        """Returns the files of the programs that a file is part of, itself first."""
        found = dict.fromkeys([path])
        for program in self.programs:
            if path in program:
                found.update(dict.fromkeys(sorted(program)))
        return tuple(each for each in found if each in self.texts)

    def sharing(self, path: Path, name: str) -> tuple[frozenset[Path], ...]:
        """Returns the programs in which an outer name of a file stands, and those that share a file with it."""
        files, found = {path}, set[frozenset[Path]]()
        while True:
            more = {each for each in self.programs if each & files} - found
            if not more:
                return tuple(sorted(found, key=sorted))
            found |= more
            mentioned = {each for program in more for each in program if each in self.texts}
            files |= {each for each in mentioned if any(self.names(each).uses(name))}

    def declarations(self, path: Path, place: int) -> tuple[NamePlace, ...]:
        """Returns where the name at a letter of a file is declared: in the file, else in its programs' other files."""
        names = self.names(path)
        token = names.token_at(place)
        if token is None:
            return ()
        if names.is_member(token):
            return tuple(
                NamePlace(each, one.start, one.stop)
                for each in self.beside(path)
                for one in self.names(each).members
                if one.name == token.text
            )
        scope = names.scope_of(token)
        if scope is not None:
            return tuple(_places(path, scope.names[token.text]))
        return tuple(
            found
            for each in self.beside(path)
            for found in _places(each, self.names(each).outermost.names.get(token.text, ()))
        )


def included_at(text: str, place: int) -> str:
    """Returns the name of the file that the line around a letter includes; empty where it includes none."""
    start = text.rfind("\n", 0, place) + 1
    match = _INCLUDED.match(text, start)
    return (match["quoted"] or match["angled"]) if match is not None else ""


def with_included(path: Path, text_of: Callable[[Path], str | None]) -> frozenset[Path]:
    """Returns a shader and the files that it includes, directly or not, each relative to its includer.

    `text_of` returns the text of a file; None where there is none.
    """
    found, pending = {path}, [path]
    while pending:
        current = pending.pop()
        for match in _INCLUDED.finditer(text_of(current) or ""):
            other = (current.parent / (match["quoted"] or match["angled"])).resolve()
            if other not in found and text_of(other) is not None:
                found.add(other)
                pending.append(other)
    return frozenset(found)


def _places(path: Path, declared: Collection[NameDeclaration]) -> Iterator[NamePlace]:
    return (NamePlace(path, each.start, each.stop) for each in declared)
