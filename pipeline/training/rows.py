"""Rows to learn from: an array for each input of a model and one for its target, in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.untrusted_files import is_file
from texelscope.pipeline.untrusted_files.arrays import npy_values

_TARGET = "target.npy"


def are_rows(folder: Path) -> bool:
    """Whether a folder holds rows: it has their targets."""
    return is_file(folder / _TARGET)


class TrainingRows:
    """NAME.npy of each input, and target.npy, all with as many rows; a step takes as many as the model does."""

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
                raise TexelscopeError(files[name], expected, f"shape {list(values.shape)}", "Write it anew.")
            if len(values) != len(self._rows[first]):
                expected = f"{len(self._rows[first])} rows, as {files[first]} has"
                raise TexelscopeError(files[name], expected, str(len(values)), "Write one for each.")

    def at(self, step: int) -> tuple[dict[str, NDArray[Any]], NDArray[Any]]:
        """Inputs by name and the target of a step, counted from 0: rows in order, round and round."""
        given = {
            name: np.take(values, range(step * count, (step + 1) * count), axis=0, mode="wrap")
            for name, values in self._rows.items()
            for count in (self._takes[name][0],)
        }
        target = given.pop(self._target)
        return given, target
