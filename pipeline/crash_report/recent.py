"""The newest lines of the program's own logging, kept for a fault: which driver it was, what was done before."""

from __future__ import annotations

import logging
from collections import deque
from types import TracebackType
from typing import Self

ROOT = "texelscope"
_MOST = 200


class Recent(logging.Handler):
    """Keeps them while the `with` lasts. Python prints none of them then, as there is somebody who listens."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=_MOST)
        self._level = logging.NOTSET

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a line."""
        try:
            self._lines.append(self.format(record))
        except Exception:  # noqa: BLE001 - a line that cannot be told is no reason to fail
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Keeps what the line was to be."""
        self._lines.append(f"{record.name}: {record.msg!r}")

    def __enter__(self) -> Self:
        logger = logging.getLogger(ROOT)
        self._level = logger.level
        logger.setLevel(min(logger.level or logging.INFO, logging.INFO))
        logger.addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        logger = logging.getLogger(ROOT)
        logger.removeHandler(self)
        logger.setLevel(self._level)


def recent_lines() -> list[str]:
    """What is kept, the oldest first; nothing where nobody keeps it."""
    return [line for kept in logging.getLogger(ROOT).handlers if isinstance(kept, Recent) for line in kept._lines]
