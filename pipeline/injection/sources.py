"""Takes values of tensors from the oracle, or from files: an .npy or .npz for a tensor, a folder for several."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.untrusted_files import is_file, is_inside
from texelscope.pipeline.untrusted_files.archives import opened_archive
from texelscope.pipeline.untrusted_files.arrays import npy_of, npy_values


class ValueSource(Protocol):
    """Provides values by tensor name. `title` is its name for people."""

    title: str

    def value(self, tensor: str) -> NDArray[Any]:
        """Returns the tensor, in its logical shape. Raises TexelscopeError with the reason if the source lacks it."""
        ...


class OracleValues:
    """Evaluates the nodes of a graph in numpy, from `known` tensors, each once."""

    title = "the oracle"

    def __init__(self, graph: Graph, known: Mapping[str, NDArray[Any]]) -> None:
        self._graph = graph
        self._known = dict(known)
        self._reference = Reference()

    def follow(self, graph: Graph, known: Mapping[str, NDArray[Any]]) -> None:
        """Switches to another version of the graph; `known` tensors are added to the earlier ones."""
        self._graph = graph
        self._known.update(known)

    def value(self, tensor: str) -> NDArray[Any]:
        """Implements `Source.value`."""
        given = {**self._graph.constants, **self._known}
        self._known.update(self._reference.run(self._graph.nodes, given, wanted=[tensor]))
        return self._known[tensor]


SUFFIXES = (".npy", ".npz")


class FileValues:
    """Takes each tensor from the file that is named for it."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = dict(files)
        self.title = ", ".join(dict.fromkeys(path.name for path in self._files.values()))

    def value(self, tensor: str) -> NDArray[Any]:
        """Implements `Source.value`."""
        if tensor not in self._files:
            raise TexelscopeError(f"tensor '{tensor}'", "a file for it", "none", "Name one: --inject TENSOR=FILE.npy.")
        return _plain(_read(self._files[tensor], tensor))


class FolderValues:
    """Takes each tensor from the .npy file of its name, where '_' may replace a character invalid in file names."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.title = str(folder)

    def value(self, tensor: str) -> NDArray[Any]:
        """Implements `Source.value`."""
        for name in dict.fromkeys((tensor, re.sub(r"[^A-Za-z0-9._-]+", "_", tensor))):
            path = self._folder / f"{name}.npy"
            if is_inside(path, self._folder) and is_file(path):
                return _plain(_read(path, tensor, inside=self._folder))
        have = sorted(path.stem for path in self._folder.glob("*.npy"))
        raise TexelscopeError(f"tensor '{tensor}'", f"'{tensor}.npy'", "no such file", nearest(tensor, have))


def _read(path: Path, tensor: str, inside: Path | None = None) -> NDArray[Any]:
    who = f"tensor '{tensor}' ({path.name})"
    if path.suffix.lower() != ".npz":
        return npy_values(path, who, inside=inside)
    with opened_archive(path, who, inside=inside, what="an .npz file", do_next="Save it with numpy.savez.") as archive:
        names = [name.removesuffix(".npy") for name in archive.members if name.endswith(".npy")]
        wanted = names[0] if len(names) == 1 else tensor
        if wanted not in names:
            raise TexelscopeError(who, "an array of the tensor's name", "others", nearest(tensor, names))
        member = f"{wanted}.npy"
        with archive.open(member) as file:
            return npy_of(file, archive.members[member].file_size, who).values()


def _plain(value: NDArray[Any]) -> NDArray[Any]:
    """Converts double precision, in which arrays are often saved, to the model's single precision."""
    return value.astype(np.float32) if value.dtype == np.float64 else value
