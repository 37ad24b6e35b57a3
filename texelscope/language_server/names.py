"""Finds and renames names over shaders and the pipeline files that bind them, by their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from texelscope.language_server.target_index import PipelinePass, TargetIndex
from texelscope.language_server.texts import EditorTexts
from texelscope.pipeline.author_names.programs import NamePlace, ShaderTexts, included_at, with_included
from texelscope.pipeline.author_names.renaming import check_new_name, renaming_at, replaced
from texelscope.pipeline.author_names.tokens import TextToken
from texelscope.pipeline.pipeline_file.bound_lines import named_keys
from texelscope.pipeline.pipeline_file.renamed_keys import renamed_keys

_TEXT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")


@dataclass(frozen=True)
class RenamedFiles:
    """Says where another name comes: letters from one number to the one before another, by file.

    `targets` are the pipeline files whose passes run these files.
    """

    new: str
    places: Mapping[Path, tuple[tuple[int, int], ...]]
    targets: tuple[Path, ...]

    def text(self, path: Path, texts: EditorTexts) -> str:
        """Returns the text of a file with the new name."""
        return replaced(texts.text(path) or "", self.places[path], self.new)


def name_at(index: TargetIndex, texts: EditorTexts, path: Path, letter: int) -> TextToken | None:
    """Returns the name at a letter of a shader; None where there is none."""
    files, _ = _files(index, texts, path)
    return files.names(path).token_at(letter) if path.suffix != ".toml" else None


def definitions(index: TargetIndex, texts: EditorTexts, path: Path, letter: int) -> list[NamePlace]:
    """Returns where a name is declared; of a path the file, of a pipeline file's key what it binds.

    At its own declaration a name that a pipeline file binds is found there.
    """
    text = texts.text(path) or ""
    if path.suffix == ".toml":
        return list(_of_pipeline(index, texts, path, text, letter))
    included = included_at(text, letter)
    if included:
        file = (path.parent / included).resolve()
        return [NamePlace(file, 0, 0)] if texts.text(file) is not None else []
    files, passes = _files(index, texts, path)
    found = list(files.declarations(path, letter))
    if all(each.path == path and each.start <= letter <= each.stop for each in found):
        token = files.names(path).token_at(letter)
        bound = [place for each in passes if token for place in _keys(texts, each, token.text)]
        return bound or found
    return found


def renamed(index: TargetIndex, texts: EditorTexts, path: Path, letter: int, new: str) -> RenamedFiles:
    """Returns where a name has to change. Raises TexelscopeError for what cannot be renamed safely."""
    files, passes = _files(index, texts, path)
    found = renaming_at(files, path, letter, _given_macros(texts, passes, path))
    check_new_name(files, found, new)
    places: dict[Path, tuple[tuple[int, int], ...]] = {}
    for each in sorted({place.path for place in found.places}):
        places[each] = tuple((place.start, place.stop) for place in found.places if place.path == each)
    involved = [each for each in passes if each.files in found.programs] if found.is_outer else []
    for target in sorted({each.target for each in involved}):
        names = {each.name for each in involved if each.target == target}
        own = renamed_keys(texts.text(target) or "", target.name, names, found.name, new)
        if own:
            places[target] = own
    using = {each.target for each in passes if each.files & places.keys()}
    return RenamedFiles(new, places, tuple(sorted(using)))


def _given_macros(texts: EditorTexts, passes: Sequence[PipelinePass], path: Path) -> set[str]:
    """Returns the macros that pipeline files define for a shader."""
    names: set[str] = set()
    for target in {each.target for each in passes if path in each.files}:
        own = {each.name for each in passes if each.target == target and path in each.files}
        keys = named_keys(texts.text(target) or "")
        names |= {key.name for key in keys if key.kind == "defines" and key.pass_name in own}
    return names


def _files(index: TargetIndex, texts: EditorTexts, path: Path) -> tuple[ShaderTexts, tuple[PipelinePass, ...]]:
    """Returns the shaders of all passes, and the file with what it includes, and the passes."""
    passes = index.passes(texts)
    alone = with_included(path, texts.text)
    programs = [*(each.files for each in passes), *([] if any(path in each.files for each in passes) else [alone])]
    paths = {path, *(each for program in programs for each in program)}
    found = {each: text for each in paths if (text := texts.text(each)) is not None}
    return ShaderTexts(found, tuple(dict.fromkeys(programs))), passes


def _keys(texts: EditorTexts, each: PipelinePass, name: str) -> Iterator[NamePlace]:
    for key in named_keys(texts.text(each.target) or ""):
        if key.pass_name == each.name and key.name == name:
            yield NamePlace(each.target, key.start, key.stop)


def _of_pipeline(index: TargetIndex, texts: EditorTexts, path: Path, text: str, letter: int) -> Iterator[NamePlace]:
    for key in named_keys(text):
        if not key.start <= letter <= key.stop:
            continue
        for each in index.passes(texts):
            if each.target != path or each.name != key.pass_name:
                continue
            for file in sorted(each.files):
                names = _files(index, texts, file)[0].names(file)
                for one in names.outermost.names.get(key.name.partition(".")[0], ()):
                    yield NamePlace(file, one.start, one.stop)
        return
    start, stop = text.rfind("\n", 0, letter) + 1, text.find("\n", letter)
    for match in _TEXT.finditer(text, start, stop if stop >= 0 else len(text)):
        named = match[1] or match[2] or ""
        if match.start() <= letter <= match.end() and named and "\0" not in named:
            file = (path.parent / named).resolve()
            if texts.text(file) is not None:
                yield NamePlace(file, 0, 0)
