"""A case's folder as it is to be run: a copy with the swaps made, opened, and fed what its file says or fresh noise."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory

import moderngl
import numpy as np
from numpy.typing import NDArray

from tests.faults.fresh.case import Swap
from texelscope import pipeline
from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.opening import set_inputs
from texelscope.pipeline.target import Target

# File (relative to the folder) → numbers of lines, from 1.
Lines = Mapping[str, frozenset[int]]


@contextmanager
def planted(folder: Path, swaps: Iterable[Swap]) -> Iterator[Path]:
    """A copy of `folder` with the swaps made, in order, until the end. Raises ValueError for a text not there once."""
    with TemporaryDirectory() as above:
        copy = Path(above) / folder.name
        shutil.copytree(folder, copy)
        for swap in swaps:
            file = copy / swap.file
            text = file.read_text(encoding="utf-8")
            if text.count(swap.old) != 1:
                raise ValueError(f"{swap.file}: a text to swap occurs {text.count(swap.old)} times")
            file.write_text(text.replace(swap.old, swap.new), encoding="utf-8")
        yield copy


@contextmanager
def ran(folder: Path, context: moderngl.Context, fresh: int | None = None) -> Iterator[DebugSession]:
    """The folder's pipeline, run on its own inputs, or on those of the seed `fresh`."""
    target = folder / "pipeline.toml"
    with pipeline.open(target, context=context, trust=True) as session:
        set_inputs(session, Target(str(target)))
        if fresh is not None:
            for name, values in fresh_inputs(session, fresh).items():
                session.set_input(name, values)
        session.run()
        session.finish()
        yield session


def fresh_inputs(session: DebugSession, seed: int) -> dict[str, NDArray[np.float32]]:
    """Other values for every input, within the range of its own: two shuffles of them, mixed at random.

    So a root stays real and a share a share; whole numbers are shuffled alone, and stay whole.
    """
    random = np.random.default_rng(seed)
    fresh = {}
    for name in session.plan.inputs:
        values = session.tensor(name)
        one, other = random.permutation(values.ravel()), random.permutation(values.ravel())
        share = random.random(one.shape) if np.any(values != np.round(values)) else np.zeros(one.shape)
        fresh[name] = (one + share * (other - one)).astype(np.float32).reshape(values.shape)
    return fresh


def changed_lines(right: Path, wrong: Path, files: Iterable[str]) -> Lines:
    """The lines of `wrong` that differ from `right`; of a line that is gone those on both sides of where it was."""
    return {file: _changed(_lines(right / file), _lines(wrong / file)) for file in set(files)}


def _changed(right: list[str], wrong: list[str]) -> frozenset[int]:
    changed: set[int] = set()
    for tag, _, _, start, end in SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes():
        if tag == "delete":
            changed |= {start, start + 1}
        elif tag != "equal":
            changed |= set(range(start + 1, end + 1))
    return frozenset(changed)


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def apply(edits: Iterable[LineEdit], folder: Path) -> None:
    """Makes the edits, whose lines are numbered before any of them. Raises ValueError where a line reads otherwise."""
    by_file: dict[Path, list[LineEdit]] = {}
    for edit in edits:
        by_file.setdefault(_file_of(edit, folder), []).append(edit)
    for file, of_file in by_file.items():
        lines = _lines(file)
        # From below, so that numbers stay true: at a line first what is written otherwise, then what comes before.
        order = sorted((edit.line, edit.before is not None, place) for place, edit in enumerate(of_file))
        for _, _, place in reversed(order):
            edit = of_file[place]
            at = edit.line - 1
            if edit.before is not None and lines[at] != edit.before:
                raise ValueError(f"line {edit.line} does not read as the edit says")
            lines[at : at + (edit.before is not None)] = [] if edit.after is None else edit.after.split("\n")
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _file_of(edit: LineEdit, folder: Path) -> Path:
    """The edit's file: by its path in the folder, or by its name where that is told of one file alone."""
    if (folder / edit.file).is_file():
        return folder / edit.file
    (found,) = [each for each in sorted(folder.rglob("*")) if each.name == Path(edit.file).name]
    return found
