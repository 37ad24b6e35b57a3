"""The graph of files: which file depends on which, from imports, from paths and names in strings, and from folders.

A file that imports a package as a whole may walk over its modules, as the registries do, so it depends on all of them.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from tests.near.facts import OWN_FOLDER, Facts

# Steps between a file and one that depends on it; the nearer of two ways counts.
DIRECT = 2
BY_LIKENESS = 3

# The folder whose name comes before the others in an import; the files lie in the checkout's root.
INSTALLED = "texelscope."
# A word that fits more files than this is no name of a file.
MOST_NAMESAKES = 20


class FileGraph:
    """Who depends on whom among `facts`, whose keys are paths relative to the root; `gone` are paths just removed."""

    def __init__(self, facts: Mapping[str, Facts], gone: Collection[str] = ()) -> None:
        self._facts = facts
        self._files = sorted({*facts, *gone})
        self._modules = {_dotted(file): file for file in self._files if file.endswith(".py")}

    def module(self, name: str) -> str | None:
        """The file of the module that `name` is, or that defines it; with or without `texelscope.` before it."""
        spellings = [name, name.removeprefix(INSTALLED)] if name.startswith(INSTALLED) else [name]
        prefixes = (prefix for spelling in spellings for prefix in _prefixes(spelling))
        return next((self._modules[prefix] for prefix in sorted(prefixes, key=_depth) if prefix in self._modules), None)

    def steps_from(self, changed: Iterable[str]) -> dict[str, int]:
        """How many steps lie between the changed files and each file that depends on one of them, however far."""
        steps = dict.fromkeys(changed, 0)
        queue = [(0, file) for file in steps]
        while queue:
            far, file = heapq.heappop(queue)
            if far > steps[file]:
                continue
            for dependent, step in self._dependents.get(file, {}).items():
                if far + step < steps.get(dependent, far + step + 1):
                    steps[dependent] = far + step
                    heapq.heappush(queue, (far + step, dependent))
        return steps

    @cached_property
    def _dependents(self) -> dict[str, dict[str, int]]:
        dependents: dict[str, dict[str, int]] = defaultdict(dict)
        for file, facts in self._facts.items():
            for target, step in self._targets(file, facts):
                if target != file:
                    dependents[target][file] = min(step, dependents[target].get(file, step))
        return dependents

    def _targets(self, file: str, facts: Facts) -> Iterator[tuple[str, int]]:
        for name in facts.imports:
            yield from ((target, DIRECT) for target in self._imported(name))
        for word in facts.words:
            yield from self._named(word)
        own = str(PurePosixPath(file).parent)
        for folder in facts.folders:
            yield from ((target, DIRECT) for target in self._below.get(own if folder == OWN_FOLDER else folder, ()))
        if _is_test(file):
            yield from ((conftest, DIRECT) for conftest in self._conftests(file))

    def _imported(self, name: str) -> Iterator[str]:
        found = self.module(name)
        if found is None:
            return
        yield found
        is_package = found.endswith("/__init__.py") and _dotted(found) in (name, name.removeprefix(INSTALLED))
        if is_package and not self._has_code(found):
            yield from self._below[str(PurePosixPath(found).parent)]

    def _has_code(self, package: str) -> bool:
        """Whether a package is more than its folder, so that whoever imports it may mean what it defines itself."""
        facts = self._facts.get(package, Facts())
        return bool(facts.words or set(facts.imports) - {"__future__.annotations"})

    def _named(self, word: str) -> Iterator[tuple[str, int]]:
        if word.endswith((".", "/")):  # the beginning of an f-string
            folder = word.rstrip("./").replace(".", "/")
            spellings = (folder, folder.removeprefix(INSTALLED.replace(".", "/")))
            yield from ((file, DIRECT) for spelling in spellings for file in self._below.get(spelling, ()))
            return
        if "." in word and "/" not in word and (module := self.module(word)) and _dotted(module).count("."):
            yield module, DIRECT
        namesakes = self._by_name.get(word.rpartition("/")[2], ())
        same = [file for file in namesakes if file == word or file.endswith(f"/{word}")]
        if len(same) <= MOST_NAMESAKES:
            yield from ((file, DIRECT) for file in same)
        yield from ((file, BY_LIKENESS) for file in self._shaders_by_stem.get(word.rpartition("/")[2].lower(), ()))

    def _conftests(self, file: str) -> Iterator[str]:
        for folder in PurePosixPath(file).parents:
            if (conftest := f"{folder}/conftest.py") in self._facts:
                yield conftest

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        below: dict[str, list[str]] = defaultdict(list)
        for file in self._files:
            for folder in PurePosixPath(file).parents[:-1]:
                below[str(folder)].append(file)
        return below

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        by_name: dict[str, list[str]] = defaultdict(list)
        for file in self._files:
            by_name[PurePosixPath(file).name].append(file)
        return by_name

    @cached_property
    def _shaders_by_stem(self) -> dict[str, list[str]]:
        by_stem: dict[str, list[str]] = defaultdict(list)
        for file in self._files:
            if file.startswith("shaders/"):
                by_stem[PurePosixPath(file).name.partition(".")[0]].append(file)
        return by_stem


def is_test_module(file: str) -> bool:
    """Whether pytest runs this file."""
    return _is_test(file) and PurePosixPath(file).name.startswith("test_")


def _is_test(file: str) -> bool:
    return file.startswith("tests/") and file.endswith(".py")


def _dotted(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:length]) for length in range(len(parts), 0, -1))


def _depth(name: str) -> int:
    """For sorting: the longest name, without the folder that only an installation has, comes first."""
    return -name.removeprefix(INSTALLED).count(".")
