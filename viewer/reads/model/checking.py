"""Checks in a thread of its own what is multiplied with what behind a picked element: it may take seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.reads.model.tap_view import TapView

if TYPE_CHECKING:  # imported with the first tap
    from texelscope.pipeline.step_trace.partners import ProductCheck


def _nobody() -> None:
    """Wakes nobody."""


class ProductChecks:
    """One check at a time, of the newest reads; `wake` is called from the thread when it has ended."""

    def __init__(self, wake: Callable[[], None] = _nobody) -> None:
        self._wake = wake
        self._worker: Worker[ProductCheck] | None = None
        self._checked: TapView | None = None

    def begin(self, view: TapView, check: Callable[[], ProductCheck]) -> None:
        """Checks the products of a view, in place of those of an earlier one."""
        self._worker = self._worker or Worker(self._wake)
        self._checked = view
        self._worker.submit(Job("products", lambda _: check()))

    def update(self, shown: TapView | None) -> TapView | None:
        """Returns the shown view with the result of its check, once that has ended; None if there is nothing new.

        Raises whatever went wrong in the check.
        """
        for job in self._worker.finished() if self._worker is not None else ():
            if shown is None or shown is not self._checked or job.cancel.is_set():
                continue
            self._checked = None
            if isinstance(job.error, Exception):
                raise job.error
            return replace(shown, partners=job.result, is_checked=True)
        return None
