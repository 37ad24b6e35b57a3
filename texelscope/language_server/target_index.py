"""Says which passes of which pipeline files a shader belongs to, by the files' texts alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from texelscope.language_server.texts import EditorTexts
from texelscope.pipeline.author_names.programs import with_included
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import importer_taking
from texelscope.pipeline.untrusted_files.texts import toml_values
from texelscope.target_files import target_files

# A file of many targets is compared in the nearest so many of them.
MOST_TARGETS = 3


@dataclass(frozen=True)
class PipelinePass:
    """One pass of the pipeline file `target`, and the files that its shaders are made of, absolute."""

    target: Path
    name: str
    files: frozenset[Path]


class TargetIndex:
    """Finds pipeline files in some folders once; `forget` has them looked for again."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._found: tuple[Path, ...] | None = None

    def forget(self) -> None:
        """Has the folders looked through again: a file has come or gone."""
        self._found = None

    def passes(self, texts: EditorTexts) -> tuple[PipelinePass, ...]:
        """Returns the passes of all pipeline files, as their texts have them now."""
        return tuple(each for target in self._pipeline_files() for each in _passes_of(target, texts))

    def targets_of(self, path: Path, texts: EditorTexts) -> tuple[Path, ...]:
        """Returns what to open to compare a file: itself, or the nearest pipeline files that use it.

        A shader that none uses is opened alone. Empty for a file that is neither.
        """
        if path.suffix == ".toml":
            is_known = path in self._pipeline_files() or any(_passes_of(path, texts))
            return (path,) if is_known else ()  # a known one may be broken just now
        using = dict.fromkeys(each.target for each in self.passes(texts) if path in each.files)
        if using:
            return tuple(sorted(using, key=lambda each: _distance(each, path))[:MOST_TARGETS])
        is_included = any(path in each.files for each in self.passes(texts))
        return () if is_included or importer_taking(path) is None else (path,)

    def _pipeline_files(self) -> tuple[Path, ...]:
        if self._found is None:
            every = (each for folder in self._folders for each in target_files(folder))
            self._found = tuple(dict.fromkeys(each.resolve() for each in every if each.suffix == ".toml"))
        return self._found


def _passes_of(target: Path, texts: EditorTexts) -> Iterator[PipelinePass]:
    try:
        values = toml_values(texts.text(target) or "", target.name)
    except TexelscopeError:  # opening it reports this
        return
    entries = values.get("pass", [])
    for each in entries if isinstance(entries, list) else ():
        if not isinstance(each, dict):
            continue
        shaders = [
            each[key] for key in ("shader", "vertex") if isinstance(each.get(key), str) and "\0" not in each[key]
        ]
        own = [(target.parent / shader).resolve() for shader in shaders]
        files = frozenset(file for path in own for file in with_included(path, texts.text))
        yield PipelinePass(target, str(each.get("name", "")), files)


def _distance(target: Path, path: Path) -> tuple[int, str]:
    """Orders targets by how many folders lie between them and a file."""
    apart = len(set(target.parents) ^ set(path.parents))
    return apart, str(target)
