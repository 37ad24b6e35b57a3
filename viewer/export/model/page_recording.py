"""Records reads and executions for the report's page between frames, before the page is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from texelscope.pipeline.export.live_page.recordings import PageRecorder, Recordings


class PageRecording:
    """One recorder at a time. Its recordings are handed on when complete, if they are still of what is open."""

    def __init__(self) -> None:
        self._recorder: PageRecorder | None = None
        self._is_current: Callable[[], bool] = lambda: False
        self._then: Callable[[Recordings], None] = lambda _recordings: None
        self._stale: Callable[[], None] = lambda: None

    @property
    def progress(self) -> float | None:
        """The share that is recorded; None while nothing is being recorded."""
        return self._recorder.progress if self._recorder is not None else None

    def begin(
        self,
        recorder: PageRecorder,
        is_current: Callable[[], bool],
        then: Callable[[Recordings], None],
        stale: Callable[[], None],
    ) -> None:
        """Starts with the next `advance`. `then` gets the recordings; `stale` is called if they cease to be current."""
        self._recorder, self._is_current, self._then, self._stale = recorder, is_current, then, stale

    def cancel(self) -> None:
        """Stops; nothing is handed on."""
        self._recorder = None

    def advance(self, *, is_writing: bool) -> bool:
        """Does the work of one frame; True if it did. While a file `is_writing`, what is complete waits."""
        recorder = self._recorder
        if recorder is None:
            return False
        if not self._is_current():
            self.cancel()
            self._stale()
            return True
        if recorder.step():
            return True
        if is_writing:
            return False
        self.cancel()
        self._then(recorder.recordings)
        return True
