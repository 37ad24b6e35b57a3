"""Renames what a shader's author has named, in every file that has the name, or says why it cannot be done safely."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.author_names.declarations import Kind
from texelscope.pipeline.author_names.programs import NamePlace, ShaderTexts
from texelscope.pipeline.author_names.tokens import TextToken
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.glsl.reserved_words import is_glsl_word

_NAME = re.compile(r"[A-Za-z_]\w{0,254}\Z")
_ENTRY = "main"


@dataclass(frozen=True)
class Renaming:
    """Says where a name stands. It `is_outer` if it is declared outside all functions, in the files of `programs`."""

    name: str
    kind: Kind
    places: tuple[NamePlace, ...]
    is_outer: bool
    programs: tuple[frozenset[Path], ...]


def renaming_at(files: ShaderTexts, path: Path, place: int, given: Collection[str] = ()) -> Renaming:
    """Returns where the name at a letter of a file stands. Raises TexelscopeError for what cannot be renamed safely.

    `given` are macros that no text defines: a pipeline file does.
    """
    names = files.names(path)
    token = names.token_at(place)
    if token is None:
        raise TexelscopeError("rename", "a name of the shader", "none here", "Put the cursor on a name.")
    who = f"'{token.text}'"
    if names.is_member(token):
        raise UnsupportedError(who, "a variable, function, structure or macro", "a member", "Rename it by hand.")
    scope = names.scope_of(token)
    if scope is None or scope is names.outermost:
        return _outer(files, path, token, given)
    places = tuple(NamePlace(path, each.start, each.stop) for each in names.uses_of_inner(token.text, scope))
    macro = next(_macros_using(files, path, token.text), None)
    if macro is not None:
        got = f"one that a macro uses too, in {macro.name}"
        raise UnsupportedError(who, "a name that functions alone use", got, "Rename it by hand.")
    return Renaming(token.text, scope.names[token.text][0].kind, places, is_outer=False, programs=())


def check_new_name(files: ShaderTexts, renaming: Renaming, new: str) -> None:
    """Raises TexelscopeError for what is no name, means something to GLSL, or stands in one of the files already."""
    if _NAME.match(new) is None:
        raise TexelscopeError("rename", "a name of letters, digits and _", f"'{new}'", "Choose another one.")
    if is_glsl_word(new):
        raise TexelscopeError("rename", "a name without a meaning in GLSL", f"'{new}'", "Choose another one.")
    paths = {each for program in renaming.programs for each in program} | {each.path for each in renaming.places}
    for path in sorted(paths & files.texts.keys()):
        found = next((each for each in files.names(path).tokens if each.text == new), None)
        if found is not None:
            line = files.texts[path].count("\n", 0, found.start) + 1
            got = f"'{new}', which is in {path.name}:{line}"
            raise TexelscopeError("rename", "a name that these files do not have", got, "Choose another one.")


def _outer(files: ShaderTexts, path: Path, token: TextToken, given: Collection[str]) -> Renaming:
    who = f"'{token.text}'"
    programs = files.sharing(path, token.text)
    paths = sorted({path, *(each for program in programs for each in program)} & files.texts.keys())
    declared = [
        each for one in paths for each in files.names(one).outermost.names.get(token.text, ()) if token.text != _ENTRY
    ]
    if not declared and token.text not in given:
        raise TexelscopeError(
            who, "a name that these files declare", "another", "It belongs to the language or engine."
        )
    for each in paths:
        if any(one.text == "##" for one in files.names(each).tokens):
            got = f"one beside a macro of {each.name} that puts names together (##)"
            raise UnsupportedError(who, "a name whose every use can be seen", got, "Rename it by hand.")
    places = [
        NamePlace(one, use.start, use.stop) for one in paths for use in files.names(one).uses_of_outer(token.text)
    ]
    kind: Kind = declared[0].kind if declared else "macro"
    return Renaming(token.text, kind, tuple(places), is_outer=True, programs=programs)


def _macros_using(files: ShaderTexts, path: Path, name: str) -> Iterator[Path]:
    """Yields the files beside one with a directive that uses a name which nothing around it declares."""
    for each in files.beside(path):
        names = files.names(each)
        if any(use.directive >= 0 and names.scope_of(use) is None for use in names.uses(name)):
            yield each


def replaced(text: str, places: Collection[tuple[int, int]], new: str) -> str:
    """Returns a text with another one at some places, each the letters from one number to the one before another."""
    for start, stop in sorted(places, reverse=True):
        text = text[:start] + new + text[stop:]
    return text
