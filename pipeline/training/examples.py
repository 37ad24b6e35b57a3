"""Loads examples to learn from: pairs of files, a folder for each class, one named pair, or rows of arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape, TensorInfo
from texelscope.pipeline.inputs.sources import FIT, PICTURE_SUFFIXES, load_source
from texelscope.pipeline.untrusted_files import is_file, is_folder
from texelscope.pipeline.untrusted_files.arrays import npy_values, opened_npy

# A target's file has this between its name and its ending.
TARGET = ".target"
_SUFFIXES = PICTURE_SUFFIXES | {".npy"}


@dataclass(frozen=True)
class Example:
    """Names the sources of an input and of its target, as `load_source` has them; or the number of its class."""

    name: str
    source: str
    target: str | int


def examples_in(folder: Path) -> tuple[Example, ...]:
    """Returns pairs `NAME.png` and `NAME.target.png` (or .npy) of a folder; else the files of its class folders.

    Pictures are scaled to cover their tensors. Classes are numbered by name. Raises TexelscopeError where there is
    neither, and for an input without its target.
    """
    found = _files(folder)
    targets = {path.name.removesuffix(path.suffix).removesuffix(TARGET): path for path in found if _is_target(path)}
    inputs = [path for path in found if not _is_target(path)]
    if targets:
        alone = [path.name for path in inputs if path.stem not in targets]
        if alone:
            wanted = f"{Path(alone[0]).stem}{TARGET}.png or {TARGET}.npy"
            raise TexelscopeError(str(folder), f"a target for '{alone[0]}'", "none", f"Add {wanted}.")
        return tuple(Example(path.stem, _source(path), _source(targets[path.stem])) for path in inputs)
    classes = [each for each in _inside(folder) if is_folder(each)]
    examples = [Example(f"{each.name}/{path.stem}", _source(path), number) for number, each in enumerate(classes)
                for path in _files(each)]  # fmt: skip
    if not examples:
        raise TexelscopeError(
            str(folder), "pairs, or a folder for each class", "neither",
            f"Put NAME.png beside NAME{TARGET}.png, or pictures into a folder for each class.",
        )  # fmt: skip
    return tuple(examples)


class Batches:
    """Supplies each step with an input and a target, of as many examples as the model takes at once.

    Every example comes once a round, in an order that `seed` and the round's number shuffle: a repeated step gets the
    same examples.
    """

    def __init__(self, examples: Sequence[Example], given: TensorInfo, target: TensorInfo, seed: int = 0) -> None:
        """`given` and `target` are the examples' tensors. Raises TexelscopeError if there are no examples."""
        if not examples:
            raise TexelscopeError("examples", "one at least", "none", "Name a folder with pairs.")
        self._examples, self._given, self._target, self._seed = tuple(examples), given, target, seed
        alike = bool(given.shape and target.shape) and given.shape[0] == target.shape[0]
        self.size = given.shape[0] if alike and not _is_whole(self._examples[0].source, given) else 1

    def at(self, step: int) -> tuple[NDArray[np.float32], NDArray[Any]]:
        """Returns input and target of a step, counted from 0, in their tensors' shapes. Errors as of `load_source`."""
        chosen = [self._examples[self._place(step * self.size + i)] for i in range(self.size)]
        return (
            np.concatenate([_loaded(each.source, self._given, self.size) for each in chosen]),
            np.concatenate([_loaded(each.target, self._target, self.size) for each in chosen]),
        )

    def _place(self, count: int) -> int:
        turn, place = divmod(count, len(self._examples))
        order = np.random.default_rng((self._seed, turn)).permutation(len(self._examples))
        return int(order[place])


def _is_whole(source: str, info: TensorInfo) -> bool:
    """Whether a source fills a tensor, rather than one of a batch: the shape of an array shows it."""
    suffix = Path(source).suffix.lower()
    if suffix != ".npy":
        return suffix not in PICTURE_SUFFIXES
    with opened_npy(Path(source), f"input '{info.name}' ({Path(source).name})") as stored:
        return stored.shape == info.shape


def _loaded(source: str | int, info: TensorInfo, size: int) -> NDArray[Any]:
    shape: Shape = (1, *info.shape[1:]) if size > 1 else info.shape
    if isinstance(source, int):
        if not np.issubdtype(np.dtype(info.dtype), np.integer):
            raise TexelscopeError(
                f"target '{info.name}'", f"values of shape {list(info.shape)}", f"the number of a class, {source}",
                "Train with the loss cross_entropy, or on pairs.",
            )  # fmt: skip
        return np.full(shape, source, info.dtype)
    return load_source(source, shape, name=info.name, dtype=info.dtype)


def _source(path: Path) -> str:
    return f"{FIT}{path}" if path.suffix.lower() in PICTURE_SUFFIXES else str(path)


def _is_target(path: Path) -> bool:
    return path.name.removesuffix(path.suffix).endswith(TARGET)


def _files(folder: Path) -> list[Path]:
    return [path for path in _inside(folder) if path.suffix.lower() in _SUFFIXES and not is_folder(path)]


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        got = error.strerror or str(error)
        raise TexelscopeError(str(folder), "a folder of examples", got, "Check the path.") from error


_TARGET = "target.npy"


def are_rows(folder: Path) -> bool:
    """Whether a folder holds rows: it has their targets."""
    return is_file(folder / _TARGET)


class TrainingRows:
    """Loads NAME.npy of each input, and target.npy, all of as many rows; a step takes as many as the model does."""

    def __init__(self, folder: Path, takes: Mapping[str, Shape]) -> None:
        """`takes` are the shapes of the inputs by name, and last that of the target.

        Raises TexelscopeError for an array that is missing, that has other axes than the model takes, or other rows.
        """
        *inputs, target = takes
        files = {**{name: f"{name}.npy" for name in inputs}, target: _TARGET}
        self._takes, self._target = takes, target
        self._rows = {name: npy_values(folder / file, file) for name, file in files.items()}
        first = next(iter(takes))
        for name, values in self._rows.items():
            if not takes[name] or values.shape[1:] != takes[name][1:] or not values.size:
                expected = f"rows of shape {list(takes[name][1:])}"
                raise TexelscopeError(files[name], expected, f"shape {list(values.shape)}", "Write it again.")
            if len(values) != len(self._rows[first]):
                expected = f"{len(self._rows[first])} rows, as {files[first]} has"
                raise TexelscopeError(files[name], expected, str(len(values)), "Write one for each.")

    def at(self, step: int) -> tuple[dict[str, NDArray[Any]], NDArray[Any]]:
        """Returns inputs by name and the target of a step, counted from 0: rows in order, round and round."""
        given = {
            name: np.take(values, range(step * count, (step + 1) * count), axis=0, mode="wrap")
            for name, values in self._rows.items()
            for count in (self._takes[name][0],)
        }
        target = given.pop(self._target)
        return given, target
