"""Shows the system's own dialogs for files and folders, one at a time, beside a window that goes on.

Linux has them as programs of its desktops; without any of these there is no dialog, and a path is typed.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imgui_bundle import portable_file_dialogs as dialogs

# What shows a dialog on Linux, by the names that the library of dialogs looks for.
_PROGRAMS = ("zenity", "kdialog", "matedialog", "qarma")

# The user's answer, a path; not called for a dialog that was cancelled.
Answer = Callable[[str], None]


@dataclass(frozen=True)
class _Asked:
    dialog: dialogs.open_file | dialogs.select_folder
    answer: Answer


class FileDialog:
    """Asks for a file or a folder; the answer comes with a later `update`."""

    def __init__(self) -> None:
        self.is_available = sys.platform in ("win32", "darwin") or any(map(shutil.which, _PROGRAMS))
        self._asked: _Asked | None = None

    @property
    def is_open(self) -> bool:
        """Whether a dialog waits for its answer: `update` then has to be called a few times a second."""
        return self._asked is not None

    def ask_for_file(self, title: str, start: str, suffixes: Sequence[str], answer: Answer) -> None:
        """Shows the dialog for an existing file with one of the suffixes, unless another dialog is open."""
        from imgui_bundle import portable_file_dialogs as dialogs

        if self._asked is None:
            patterns = " ".join(f"*{suffix}" for suffix in suffixes)
            filters = ["All that can be opened", patterns, "All files", "*"]
            self._asked = _Asked(dialogs.open_file(title, start, filters), answer)

    def ask_for_folder(self, title: str, start: str, answer: Answer) -> None:
        """Shows the dialog for a folder, unless another dialog is open."""
        from imgui_bundle import portable_file_dialogs as dialogs

        if self._asked is None:
            self._asked = _Asked(dialogs.select_folder(title, start), answer)

    def update(self) -> bool:
        """Passes on the answer of a dialog that was closed; returns whether one was. Call it between two frames."""
        asked = self._asked
        if asked is None or not asked.dialog.ready(0):
            return False
        self._asked = None
        found = asked.dialog.result()
        path = found if isinstance(found, str) else next(iter(found), "")
        if path:
            asked.answer(path)
        return True

    def close(self) -> None:
        """Takes an open dialog away."""
        if self._asked is not None:
            self._asked.dialog.kill()
            self._asked = None
