"""Keeps what pygls logs to one line each: an editor shows a server's standard error to people."""

from __future__ import annotations

import logging

from texelscope.layouts.outside_text import one_line


class _OneLine(logging.Filter):
    """Puts an exception behind the message that it belongs to, without its traceback, which some messages end in."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        first, *traceback = record.getMessage().strip().split("\n")
        last = str(error) if error is not None else traceback[-1].strip(" |+-") if traceback else ""
        said = f"{first}: {last}" if last else first
        record.msg, record.args, record.exc_info, record.exc_text = one_line(said), (), None, None
        return True


def log_on_one_line() -> None:
    """Has pygls log errors alone, each on a line."""
    for name in ("pygls.server", "pygls.protocol.json_rpc", "pygls.protocol.language_server", "pygls.feature_manager"):
        logger = logging.getLogger(name)
        logger.setLevel(logging.ERROR)
        logger.addFilter(_OneLine())
