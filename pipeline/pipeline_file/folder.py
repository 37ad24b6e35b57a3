"""Opens the files of a pipeline: always inside its folder, never larger than they may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.untrusted_files import is_file, is_folder, read_bytes, read_text, reason


@dataclass(frozen=True)
class Folder:
    """The folder of a pipeline file; every path in the file is relative to it and stays inside.

    Messages call that kind of file `called`. `instead` has texts, by path, that are tried in place of the saved ones.
    """

    path: Path
    called: str = "pipeline"
    instead: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def file(self, name: str, *, base: str = "") -> Path:
        """Returns the absolute path of an existing file `name`, relative to the folder `base` in this one.

        Raises TexelscopeError for a path that leads out of the folder, also by a link, or to no file.
        """
        root = self.path.resolve()
        if "\0" in name or "\\" in name or Path(name).is_absolute() or ":" in name.split("/")[0]:
            raise TexelscopeError(
                f"'{name}'", f"a path relative to the {self.called} file, with /", "another kind of path",
                "Copy the file into the folder.",
            )  # fmt: skip
        try:
            path = (root / base / name).resolve()
            there = path.is_file()
        except (OSError, RuntimeError, ValueError) as error:  # a name of thousands of letters, a circle of links
            raise TexelscopeError(f"'{name}'", "a file", reason(error), "Check the path.") from error
        if not path.is_relative_to(root):
            raise TexelscopeError(
                f"'{name}'", f"a path inside the {self.called}'s folder", "one that leads out of it",
                "Copy the file into the folder.",
            )  # fmt: skip
        if not there:
            got = "none of that name" if not path.exists() else "something else of that name"
            raise TexelscopeError(f"'{name}'", "a file", got, self._neighbour(path))
        return path

    def relative(self, path: Path) -> str:
        """Returns the path as the pipeline file would write it."""
        return path.relative_to(self.path.resolve()).as_posix()

    def text(self, path: Path) -> str:
        """Reads the UTF-8 text of a file, and the text that stands for a compiled one.

        Raises TexelscopeError for a large file, other bytes, or a file outside.
        """
        relative = self.relative(path)
        instead, language = self.instead.get(relative), language_of(relative)
        if instead or language is None or language.decoded is None:
            return instead or read_text(path, f"'{relative}'", inside=self.path)
        return language.decoded(read_bytes(path, f"'{relative}'", inside=self.path), f"'{relative}'")

    def _neighbour(self, path: Path) -> str:
        if not is_folder(path.parent):
            return "Check the path."
        try:
            names = [other.name for other in path.parent.iterdir() if is_file(other)]
        except OSError:
            return "Check the path."
        advice = nearest(path.name, names)
        return advice if advice.startswith("Did") or len(names) < 8 else "Check the path."
