"""Reloads saved files: watches the sources of a plan, and redoes the work that a save affects.

The thread of `FileWatcher` only notices; everything else happens in `Reloader.poll`, called by whoever owns the
GL thread, once a frame or once a loop.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.importers.registry import importer_for, replan_of
from texelscope.pipeline.reload.watch import FileWatcher
from texelscope.pipeline.target import OpenOptions


@dataclass(frozen=True)
class Reload:
    """Describes the result of a save.

    `changed` are the files; `passes` the names of those that ran anew, in order; `errors` what keeps the newest version
    from running: one of a file that cannot be opened, or one `ShaderError` a pass. `oracle_changed` says that a
    `Comparer` made before is out of date. `milliseconds` is the wall-clock time by stage: `plan` (files read and
    checked), `compile`, `first` (the first of the passes, finished on the GPU: it shows the saved change), `rest` (the
    passes after it, which show its effects).
    """

    changed: tuple[Path, ...]
    passes: tuple[str, ...]
    errors: tuple[TexelscopeError, ...]
    oracle_changed: bool
    milliseconds: Mapping[str, float]


class Reloader:
    """Keeps a session up with the files of its target. Not thread-safe: `poll` and `reload` touch GL.

    `clear_buffers` clears the textures of passes before they run anew, so that what a shader leaves out is not mistaken
    for data of the version before. `run` says whether passes are run at all, or left to the caller. `notify` is called,
    from another thread, when a `poll` would find something.
    """

    def __init__(
        self,
        session: Session,
        target: str | Path,
        options: OpenOptions | None = None,
        *,
        clear_buffers: bool = False,
        run: bool = True,
        notify: Callable[[], None] | None = None,
    ) -> None:
        self.clear_buffers = clear_buffers
        self.run = run
        self._session = session
        self._target = Path(target)
        self._options = dataclasses.replace(options or OpenOptions(), limits=limits_of(session.context))
        self._importer = importer_for(self._target)
        self._watched: tuple[tuple[Path, ...], tuple[Path, ...]] = ((), ())
        self._watcher = FileWatcher(self._files(), notify)

    def __enter__(self) -> Reloader:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def watch_error(self) -> str | None:
        """Why saves are not noticed, in the system's words; None if they are."""
        return self._watcher.error

    def close(self) -> None:
        """Stops watching. The session is the caller's."""
        self._watcher.close()

    def trust(self, trust: Any) -> Reload:
        """Opens the target anew with another trust in its oracle file: see `texelscope.open`."""
        self._options = dataclasses.replace(self._options, trust=trust)
        return self.reload(frozenset())

    def follow(self, conventions: Mapping[str, str]) -> Reload:
        """Opens the target anew with other conventions, see `texelscope.open`; refused ones change nothing."""
        return self._reopen(conventions=conventions)

    def vary(self, dialect: Mapping[str, str]) -> Reload:
        """Opens the target anew with other parameters of its dialect; refused ones change nothing."""
        return self._reopen(dialect=dialect)

    def _reopen(self, **changes: Any) -> Reload:
        before = self._options
        self._options = dataclasses.replace(before, **changes)
        reload = self.reload(frozenset())
        if any(not isinstance(error, ShaderError) for error in reload.errors):
            self._options = before
        return reload

    def poll(self) -> Reload | None:
        """Reloads files saved since the last call; returns None, at once, if there are none."""
        changed = self._watcher.poll()
        return self.reload(changed) if changed else None

    def wait(self, timeout_s: float) -> Reload | None:
        """Polls, waiting up to `timeout_s` for a save; for command lines and benchmarks."""
        changed = self._watcher.wait(timeout_s)
        return self.reload(changed) if changed else None

    def reload(self, changed: frozenset[Path]) -> Reload:
        """Reloads those files. If they cannot be opened or compiled, the last good version goes on running."""
        start = time.perf_counter()
        old = self._session.plan
        try:
            plan = replan_of(self._importer, self._target, self._options, old, changed)
        except TexelscopeError as error:
            # A missing file may be what would fix it.
            self._watcher.watch(self._files(), with_neighbours=True)
            times = {"plan": _milliseconds(start), "compile": 0.0, "first": 0.0, "rest": 0.0}
            return Reload(tuple(sorted(changed)), (), (error,), oracle_changed=False, milliseconds=times)
        planned = time.perf_counter()
        waiting = self._session.adopt(plan)
        plan = self._session.plan  # control flow may have changed the plan
        self._watcher.watch(self._files())
        compiled = time.perf_counter()
        names = self._stale(waiting)
        first = self._run(names[:1])
        shown = time.perf_counter()
        rest = self._run(names[1:])
        found = (self._session.shader_error(each.name) for each in plan.passes)
        return Reload(
            changed=tuple(sorted(changed)),
            passes=(*first, *rest),
            errors=tuple(error for error in found if error is not None),
            oracle_changed=plan.graph is not old.graph or plan.oracle_file != old.oracle_file,
            milliseconds={
                "plan": (planned - start) * 1e3,
                "compile": (compiled - planned) * 1e3,
                "first": (shown - compiled) * 1e3,
                "rest": _milliseconds(shown),
            },
        )

    def _stale(self, waiting: Collection[str]) -> Sequence[str]:
        """Returns the passes to run, in order; none where the caller runs them."""
        if self.clear_buffers:
            self._session.clear(waiting)
        return [each.name for each in self._session.plan.passes if each.name in waiting] if self.run else []

    def _run(self, names: Sequence[str]) -> tuple[str, ...]:
        """Runs those passes to their end on the GPU; returns the names of those that could run."""
        done = tuple(name for name in names if self._session.run_pass(name))
        self._session.finish()
        return done

    def _files(self) -> tuple[Path, ...]:
        files = tuple(self._importer.watched(self._target, self._session.plan))
        if files != self._watched[0]:  # a save seldom brings other files, and following links takes its time
            self._watched = files, tuple(path.resolve() for path in files)
        return self._watched[1]


def _milliseconds(start: float) -> float:
    return (time.perf_counter() - start) * 1e3
