"""Values from files: an .npy or .npz for a tensor, or a folder with files named as the tensors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.untrusted_files import is_file, is_inside
from texelscope.pipeline.untrusted_files.archives import opened_archive
from texelscope.pipeline.untrusted_files.arrays import npy_of, npy_values

SUFFIXES = (".npy", ".npz")


class FileValues:
    """Each tensor from the file that is named for it."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = dict(files)
        self.title = ", ".join(dict.fromkeys(path.name for path in self._files.values()))

    def value(self, tensor: str) -> NDArray[Any]:
        """See `Source`."""
        if tensor not in self._files:
            raise TexelscopeError(f"tensor '{tensor}'", "a file for it", "none", "Name one: --inject TENSOR=FILE.npy.")
        return _plain(_read(self._files[tensor], tensor))


class FolderValues:
    """Each tensor from the .npy file of its name; a sign that a file name cannot have may stand there as '_'."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.title = str(folder)

    def value(self, tensor: str) -> NDArray[Any]:
        """See `Source`."""
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
    """As a model holds it: what was saved in double precision is meant in single."""
    return value.astype(np.float32) if value.dtype == np.float64 else value
