"""Holds the targets of the files that are open in an editor, and does what the editor asks of them. GL thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from texelscope.language_server.hovering import hover_text
from texelscope.language_server.marks import EditorMark, each_once
from texelscope.language_server.opened import EditedTarget, PickedTexel
from texelscope.language_server.target_index import TargetIndex
from texelscope.language_server.texts import EditorTexts
from texelscope.pipeline.errors import CancelledError, TexelscopeError, UnsupportedError
from texelscope.pipeline.target import OpenOptions

# So many targets are kept open, the newest.
MOST_OPEN = 4
Publish = Callable[[Path, Sequence[EditorMark]], None]


@dataclass(frozen=True)
class ListedPass:
    """One pass of a target, for an editor's list: its shader, and its verdict if it was compared."""

    target: Path
    name: str
    shader: Path | None
    verdict: str | None


class Desk:
    """Opens targets as files need them. `publish` gets all marks of a target whenever they change."""

    def __init__(self, index: TargetIndex, options: OpenOptions, seconds: float, publish: Publish) -> None:
        self.index = index
        self._options, self._seconds, self._publish = options, seconds, publish
        self._opened: dict[Path, EditedTarget] = {}
        self._refused: dict[Path, list[EditorMark]] = {}
        self._found: dict[Path, list[EditorMark]] = {}
        self.picked: PickedTexel | None = None
        self._picked_of: Path | None = None

    def release(self) -> None:
        """Closes every target."""
        for each in self._opened.values():
            each.release()
        self._opened.clear()

    # -- diagnostics ---------------------------------------------------------------------------------------

    def typed(self, texts: EditorTexts, path: Path) -> None:
        """Plans and compiles what a file's present text makes of its targets; findings in the file are dropped."""
        for target in self.index.targets_of(path, texts):
            opened = self._target(target)
            self._refused[target] = opened.bring_up(texts, frozenset({path}))
            self._found[target] = [each for each in self._found.get(target, []) if each.path != path]
            self._tell(target)

    def saved(self, texts: EditorTexts, path: Path, cancel: threading.Event) -> None:
        """Compares the targets of a file, and names what is wrong. Ends quietly at `cancel`."""
        for target in self.index.targets_of(path, texts):
            opened = self._target(target)
            try:
                self._refused[target] = opened.bring_up(texts, frozenset({path}))
                self._found[target] = opened.compared(texts)
                self._tell(target)
                for found in opened.diagnosed(texts, self._seconds, cancel):
                    self._found[target] = found
                    self._tell(target)
            except CancelledError:
                return
            except TexelscopeError as error:
                self._found[target] = [EditorMark(target, 1, str(error))]
                self._tell(target)

    def closed(self, texts: EditorTexts) -> None:
        """Closes the targets of which no file is open any more; of others runs what is saved of a closed file."""
        needed = {target for path in texts.opened for target in self.index.targets_of(path, texts)}
        for target in self._opened.keys() - needed:
            self._opened.pop(target).release()
            self._forget(target)
        for target, opened in self._opened.items():
            if changed := opened.outdated(texts):
                self._refused[target] = opened.bring_up(texts, changed)
                self._tell(target)

    def _target(self, path: Path) -> EditedTarget:
        opened = self._opened.pop(path, None) or EditedTarget(path, self._options)
        self._opened[path] = opened
        while len(self._opened) > MOST_OPEN:
            oldest = next(iter(self._opened))
            self._opened.pop(oldest).release()
            self._forget(oldest)
        return opened

    def _forget(self, target: Path) -> None:
        self._refused.pop(target, None)
        self._found.pop(target, None)
        self._publish(target, ())

    def _tell(self, target: Path) -> None:
        self._publish(target, each_once([*self._refused.get(target, []), *self._found.get(target, [])]))

    # -- questions -----------------------------------------------------------------------------------------

    def hover(self, texts: EditorTexts, path: Path, line: int, name: str) -> str:
        """Returns Markdown on a name on a line (from 1) of a file; empty where nothing is known."""
        return self._hover(texts, path, (line, name), records=True)

    def hover_at_once(self, texts: EditorTexts, path: Path, line: int, name: str) -> str:
        """Returns what is known without GL, from any thread."""
        return self._hover(texts, path, (line, name), records=False)

    def _hover(self, texts: EditorTexts, path: Path, name: tuple[int, str], *, records: bool) -> str:
        targets = self.index.targets_of(path, texts)
        every = [self._opened[each] for each in sorted(targets, key=lambda one: one != self._picked_of)
                 if each in self._opened]  # fmt: skip
        opened = next((each for each in every if each.session is not None), None)
        if opened is None:
            return ""
        picked = self.picked if self._picked_of == opened.path else None
        line, word = name
        return hover_text(opened, picked, word, (path, line), texts.text(path) or "", records=records)

    def pick(self, target: Path, pass_name: str, texel: tuple[int, int]) -> None:
        """Has the hover show values at a texel of a pass. Raises TexelscopeError for one that there is not."""
        opened = self._opened.get(target)
        if opened is None or opened.session is None:
            raise UnsupportedError(target.name, "a target that is open", "none", "Open one of its files.")
        plan = opened.session.plan
        height, width = plan.textures[plan.pass_called(pass_name).output].texture_shape
        tx, ty = texel
        if not (0 <= tx < width and 0 <= ty < height):
            got = f"{tx},{ty}"
            raise TexelscopeError(f"pass '{pass_name}'", f"a texel of {width} x {height}", got, "Choose one inside.")
        self.picked, self._picked_of = PickedTexel(pass_name, texel), target

    def passes(self, texts: EditorTexts, path: Path) -> list[ListedPass]:
        """Returns the passes of the targets of a file that run it."""
        found = []
        for target in self.index.targets_of(path, texts):
            opened = self._target(target)
            if opened.session is None:
                opened.bring_up(texts, frozenset({path}))
            report = opened.report
            verdicts = {each.name: each.verdict for each in report.passes} if report is not None else {}
            for each in opened.passes_of(path):
                shader = (target.parent / each.program.files[0].path).resolve()
                own = shader if texts.text(shader) is not None else None
                found.append(ListedPass(target, each.name, own, verdicts.get(each.name)))
        return found

    def page(self, texts: EditorTexts, target: Path, pass_name: str) -> str:
        """Returns the report of a target, or of one pass, as a page that works by itself."""
        return self._target(target).page(texts, pass_name)

    def changes_nothing(self, texts: EditorTexts, changed: Mapping[Path, str], targets: Sequence[Path]) -> str:
        """Returns why other texts of some files do not give the same bits in all passes; empty if they do."""
        later = EditorTexts({**texts.opened, **changed})
        for target in targets:
            opened = self._target(target)
            before = opened.bring_up(texts, frozenset(changed)), opened.outputs()
            try:
                now = opened.bring_up(later, frozenset(changed)), opened.outputs()
            finally:
                opened.bring_up(texts, frozenset(changed))
            told = {each.text for each in before[0]}
            more = next((each for each in now[0] if each.text not in told), None)
            if more is not None:
                return f"{target.name} would not run: {more.text}"
            if len(before[0]) == len(now[0]) == 0 and before[1] != now[1]:
                return f"{target.name} would compute something else"
        return ""
