"""Files of a pipeline: always inside its folder, never larger than they may be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import TexelscopeError, nearest

# A text file above this many bytes is something else by mistake.
MAX_TEXT_BYTES = 4 << 20


@dataclass(frozen=True)
class Folder:
    """The folder that a file lies in; every path of the file is relative to it and stays inside.

    `called` is what kind of file that is, in messages.
    """

    path: Path
    called: str = "pipeline"

    def file(self, name: str, *, base: str = "") -> Path:
        """The absolute path of an existing file `name`, relative to the folder `base` in this one.

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
            is_file = path.is_file()
        except (OSError, RuntimeError) as error:  # a name of thousands of letters, a circle of links
            raise TexelscopeError(f"'{name}'", "a file", str(error), "Check the path.") from error
        if not path.is_relative_to(root):
            raise TexelscopeError(
                f"'{name}'", f"a path inside the {self.called}'s folder", "one that leads out of it",
                "Copy the file into the folder.",
            )  # fmt: skip
        if not is_file:
            raise TexelscopeError(f"'{name}'", "a file", "none of that name", self._neighbour(path))
        return path

    def relative(self, path: Path) -> str:
        """The path as the pipeline file would write it."""
        return path.relative_to(self.path.resolve()).as_posix()

    def text(self, path: Path) -> str:
        """The UTF-8 text of a file. Raises TexelscopeError for a large file or other bytes."""
        size_bytes = path.stat().st_size
        name = self.relative(path)
        if size_bytes > MAX_TEXT_BYTES:
            raise TexelscopeError(
                f"'{name}'",
                f"at most {MAX_TEXT_BYTES} bytes of text",
                f"{size_bytes}",
                "Check that it is the right file.",
            )
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise TexelscopeError(
                f"'{name}'", "UTF-8 text", f"byte {error.start} is not", "Save it as UTF-8."
            ) from error

    def _neighbour(self, path: Path) -> str:
        if not path.parent.is_dir():
            return "Check the path."
        names = [other.name for other in path.parent.iterdir() if other.is_file()]
        advice = nearest(path.name, names)
        return advice if advice.startswith("Did") or len(names) < 8 else "Check the path."
