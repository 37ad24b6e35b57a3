"""Ranks test modules by their nearness to a change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePosixPath

from tests.near.graph import DIRECT, is_test_module

KINDS = ("pure", "gl", "gui", "faults", "installed", "machines", "browser", "outside")
# Checks of the whole tree lie here, loose: docs pages, registries, words, imports, sizes.
CROSS_CUTTING = PurePosixPath("tests/pure")


class Nearness(IntEnum):
    """Why a test module is run, the nearest first."""

    CHANGED = 0
    OF_THE_MODULE = 1
    CROSS_CUTTING = 2
    DIRECT = 3
    SAME_FOLDER = 4
    FARTHER = 5

    @property
    def words(self) -> str:
        """The reason as it is printed."""
        return {
            Nearness.CHANGED: "changed tests",
            Nearness.OF_THE_MODULE: "tests of a changed module",
            Nearness.CROSS_CUTTING: "checks of the whole tree",
            Nearness.DIRECT: "direct users of a changed file",
            Nearness.SAME_FOLDER: "tests of the same folder",
            Nearness.FARTHER: "indirect users",
        }[self]


@dataclass(frozen=True)
class Candidate:
    """A test module, with how near it is and how many steps of the graph lie between; `seconds` is an estimate."""

    file: str
    nearness: Nearness
    steps: int
    seconds: float

    @property
    def order(self) -> tuple[int, int, float, str]:
        """The nearest first; among equals the short ones, of which more fit."""
        return (self.nearness, self.steps, self.seconds, self.file)


def rank(changed: Collection[str], steps: Mapping[str, int], seconds: Mapping[str, float]) -> list[Candidate]:
    """The test modules among the keys of `seconds` that the change may reach, the nearest first."""
    near = _Conventions(changed)
    candidates = (
        Candidate(file, nearness, steps.get(file, 0), seconds[file])
        for file in filter(is_test_module, seconds)
        if (nearness := _nearness(file, changed, steps, near)) is not None
    )
    return sorted(candidates, key=lambda candidate: candidate.order)


def _nearness(file: str, changed: Collection[str], steps: Mapping[str, int], near: _Conventions) -> Nearness | None:
    if file in changed:
        return Nearness.CHANGED
    if near.is_of_a_module(file):
        return Nearness.OF_THE_MODULE
    if PurePosixPath(file).parent == CROSS_CUTTING:
        return Nearness.CROSS_CUTTING
    if steps.get(file, DIRECT + 1) <= DIRECT:
        return Nearness.DIRECT
    if near.is_in_a_folder(file):
        return Nearness.SAME_FOLDER
    return Nearness.FARTHER if file in steps else None


class _Conventions:
    """Matches by path: `tests/*/read_trace/test_recorder.py` tests `pipeline/read_trace/recorder.py`."""

    def __init__(self, changed: Iterable[str]) -> None:
        self._homes: set[tuple[tuple[str, ...], str]] = set()
        for file in changed:
            path = PurePosixPath(file)
            folder = _below_kind(path.parent) if path.parts[0] == "tests" else path.parts[:-1]
            if folder is not None:
                stem = path.name.partition(".")[0]
                self._homes |= {(folder, stem), (folder[1:] if path.parts[0] != "tests" else folder, stem)}
        self._folders = {folder for folder, _ in self._homes if folder}

    def is_of_a_module(self, file: str) -> bool:
        """Whether the test module is named after a changed file and lies where its tests lie, or one folder above."""
        path = PurePosixPath(file)
        folder, stem = _below_kind(path.parent), path.stem.removeprefix("test_")
        return any(stem == home and folder in (place, place[:-1]) for place, home in self._homes)

    def is_in_a_folder(self, file: str) -> bool:
        """Whether the test module lies where tests of a changed file's folder lie."""
        return _below_kind(PurePosixPath(file).parent) in self._folders


def _below_kind(folder: PurePosixPath) -> tuple[str, ...] | None:
    """`("gl", "taps")` of `tests/gl/gl/taps`; None of a folder that is none of the kinds of tests."""
    is_kind = len(folder.parts) > 1 and folder.parts[0] == "tests" and folder.parts[1] in KINDS
    return folder.parts[2:] if is_kind else None
