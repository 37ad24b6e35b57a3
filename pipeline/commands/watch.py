"""Implements watch: compares anew after every save, and puts what is wrong first on one screen."""

from __future__ import annotations

import os
import shlex
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from texelscope.layouts.outside_text import in_cell, one_line
from texelscope.pipeline.commands.findings_text import named_passes, wrapped
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import SEVERITY, SIGNS, UNBLAMED, Report
from texelscope.pipeline.compare.words import whole_words
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import WRONG, DiagnosisRequest, name_bugs
from texelscope.pipeline.errors import CancelledError, ShaderError, TexelscopeError
from texelscope.pipeline.installation import command
from texelscope.pipeline.opening import open_and_run
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.reload.watch import FileWatcher
from texelscope.pipeline.target import Target

# The thread that waits for saves looks up this often, so that Ctrl+C ends it at once everywhere.
_WAIT_SECONDS = 0.5
# Passes of these verdicts say why nothing is known of them.
_SAYING = ("error", "not_run", "not_compared")
# The head of a screen and the line that says what is left out.
_OTHER_LINES = 4


@dataclass(frozen=True)
class WatchRound:
    """Describes what is known after the start or after a save of the files `changed`.

    `report` is the comparison; None where the target could not be opened. `errors` say why a saved file is not what
    runs. `is_searching` says that causes are still looked for, `seconds` how long it took up to here.
    """

    changed: tuple[Path, ...]
    report: Report | None
    errors: tuple[TexelscopeError, ...] = ()
    is_searching: bool = False
    seconds: float = 0.0


def watched(target: Target, diagnose_seconds: float) -> Generator[WatchRound, None, None]:
    """Yields a round at the start and after each save, and a second one with causes where something is wrong.

    A save during the search for causes ends it. It never ends by itself; close it to release what it holds.
    """
    changed: frozenset[Path] = frozenset()
    while True:
        start = time.monotonic()
        try:
            session = open_and_run(target)
        except TexelscopeError as error:
            yield WatchRound(tuple(sorted(changed)), None, (error,), seconds=time.monotonic() - start)
            changed = _next_save(Path(target.path))
            continue
        with session, _Watch(session, target, diagnose_seconds) as watch:
            yield from watch.rounds(tuple(sorted(changed)), start)


def _next_save(target: Path) -> frozenset[Path]:
    """Waits for a save in the target's folder or in one directly below it; returns the files."""
    folder = (target if target.is_dir() else target.parent).resolve()
    below = [each for each in folder.iterdir() if each.is_dir()] if folder.is_dir() else []
    with closing(FileWatcher()) as watcher:
        watcher.watch([each / target.name for each in (folder, *below)], with_neighbours=True)
        if watcher.error is not None:
            raise TexelscopeError(str(folder), "a folder whose saves are reported", watcher.error, "Start it again.")
        while not (changed := watcher.wait(_WAIT_SECONDS)):
            pass
    return changed


class _Watch:
    """Compares a session after each save. GL thread."""

    def __init__(self, session: DebugSession, target: Target, diagnose_seconds: float) -> None:
        self._session, self._seconds = session, diagnose_seconds
        self._saved = threading.Event()
        self._reloader = Reloader(session, target.path, target.options, notify=self._saved.set)

    def __enter__(self) -> _Watch:
        if self._reloader.watch_error is not None:
            got = self._reloader.watch_error
            self._reloader.close()
            raise TexelscopeError(self._session.plan.name, "files whose saves are reported", got, "Use diff instead.")
        return self

    def __exit__(self, *exception: object) -> None:
        self._reloader.close()

    def rounds(self, changed: tuple[Path, ...], start: float) -> Iterator[WatchRound]:
        """Yields the rounds of a session that has run."""
        errors: tuple[TexelscopeError, ...] = ()
        while True:
            self._saved.clear()
            if all(isinstance(error, ShaderError) for error in errors):
                yield from self._compared(changed, start)
            else:
                yield WatchRound(changed, None, errors, seconds=time.monotonic() - start)
            while (reload := self._reloader.wait(_WAIT_SECONDS)) is None:
                pass
            start, changed, errors = time.monotonic(), reload.changed, reload.errors

    def _compared(self, changed: tuple[Path, ...], start: float) -> Iterator[WatchRound]:
        session = self._session
        if session.plan.frames.count > 1:
            yield WatchRound(changed, session.compare_frames().shown, seconds=time.monotonic() - start)
            return
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        wrong = tuple(each.name for each in report.passes if each.verdict in WRONG - UNBLAMED)
        is_wrong = bool(self._seconds and wrong)
        if not is_wrong:
            report = replace(report, undiagnosed=wrong)
        yield WatchRound(changed, report, is_searching=is_wrong, seconds=time.monotonic() - start)
        if not is_wrong:
            return
        asked = DiagnosisRequest(seconds=self._seconds, first_takes_all=True)
        try:
            report = name_bugs(session, comparer, capture, report, asked, self._saved)
        except CancelledError:
            return
        yield WatchRound(changed, report, seconds=time.monotonic() - start)


def screen(found: WatchRound, target: str, width: int | None, height: int | None) -> str:
    """Returns the lines of a round: what was saved, how many passes are right, the first wrong one and its line.

    They are cut to `height` lines where that is known; a last line says what is left out and how to see it.
    """
    lines = [*_head(found, target, width), *_body(found, width)]
    most = max(height - _OTHER_LINES, _OTHER_LINES) if height is not None else len(lines)
    if len(lines) > most:
        more = f"… {len(lines) - most} more lines: {command()} diff {in_cell(shlex.quote(target))} prints all."
        lines = [*lines[:most], *wrapped(more, width)]
    return "\n".join(lines)


def _head(found: WatchRound, target: str, width: int | None) -> list[str]:
    saved = ", ".join(in_cell(os.path.relpath(path)) for path in found.changed)
    what = f"{saved} saved" if saved else "as it is"
    return wrapped(f"{in_cell(target)}: {what}, {found.seconds * 1e3:,.0f} ms", width)


def _body(found: WatchRound, width: int | None) -> Sequence[str]:
    said = [line for error in found.errors for line in wrapped(f"! {one_line(str(error))}", width)]
    report = found.report
    if report is None:
        return [*said, *wrapped("Save a file to try again.", width)]
    counts = {each: sum(one.verdict == each for one in report.passes) for each in SEVERITY}
    summary = ", ".join(f"{SIGNS[each]} {count} {each.replace('_', ' ')}" for each, count in counts.items() if count)
    stuck: dict[str, list[str]] = {}  # passes of one shader have one message
    for each in report.passes:
        if each.verdict in _SAYING and each.message and not each.message.startswith("Needs "):
            stuck.setdefault(f"{SIGNS[each.verdict]} {{}}: {each.message}", []).append(in_cell(each.name))
    for message, names in stuck.items():
        said += wrapped(message.replace("{}", ", ".join(names), 1), width)
    whole = wrapped(whole_words(report), width) if report.frames is not None else []
    named = named_passes(report, width)
    if found.is_searching:  # the first line names the pass; the others would speak as if nothing was found
        named = [*named[:1], "  Looking for the cause …"]
    return [f"{summary} of {len(report.passes)}", *whole, *said, *named]
