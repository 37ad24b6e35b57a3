"""Serves one conversation with an editor on two streams, until it ends or the editor is gone.

A thread reads, so that an editor that ends the session, or is gone, ends the work on an earlier request too.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, BinaryIO

from texelscope.pipeline.deadline import unless
from texelscope.pipeline.debug_adapter.framing import BodyError, FramingError, read_message, write_message
from texelscope.pipeline.debug_adapter.requests import DebugAdapter, OrderOf
from texelscope.pipeline.errors import CancelledError

# Requests with which an editor gives up what it asked for before.
_LEAVING = ("disconnect", "terminate")
# What the reader found: a message, None at the end of the stream, or why there is no message.
_Read = dict[str, Any] | BodyError | FramingError | None


def serve(incoming: BinaryIO, outgoing: BinaryIO, order_of: OrderOf, is_gone: Callable[[], bool]) -> None:
    """Answers requests until the client disconnects or its stream ends.

    `is_gone` says whether nobody reads the answers any more. Raises FramingError for bytes that are no messages,
    OSError if nobody reads an answer.
    """
    numbers = count(1)

    def send(message: Mapping[str, Any]) -> None:
        write_message(outgoing, {"seq": next(numbers), **message})

    adapter, reader = DebugAdapter(send, order_of), _Reader(incoming, is_gone)
    reader.start()
    try:
        while not adapter.is_over:
            found = reader.messages.get()
            if found is None:
                return
            if isinstance(found, FramingError):
                raise found
            if isinstance(found, BodyError):
                adapter.refuse_message(found)
            else:
                _answer(adapter, found, reader)
    finally:
        adapter.release()


def _answer(adapter: DebugAdapter, message: Mapping[str, Any], reader: _Reader) -> None:
    if message.get("command") in _LEAVING:
        reader.leaving.clear()
        adapter.answer(message)
        return
    try:
        with unless(reader.is_unwanted):
            adapter.answer(message)
    except CancelledError:
        adapter.cancelled(message)


class _Reader(threading.Thread):
    """Reads all messages; `leaving` is set while a request waits with which the client gives up the ones before."""

    def __init__(self, incoming: BinaryIO, is_gone: Callable[[], bool]) -> None:
        super().__init__(name="debug adapter's reader", daemon=True)
        self.messages: queue.SimpleQueue[_Read] = queue.SimpleQueue()
        self.leaving = threading.Event()
        self._incoming, self._is_gone = incoming, is_gone
        self._has_ended = False

    def is_unwanted(self) -> bool:
        """Whether nobody waits for the answer under way."""
        return self.leaving.is_set() or (self._has_ended and self._is_gone())

    def run(self) -> None:
        """Reads until the end, or until the bytes are no messages."""
        while True:
            found: _Read
            try:
                found = read_message(self._incoming)
            except (BodyError, FramingError) as error:
                found = error
            except (OSError, ValueError):  # the stream was closed
                found = None
            if isinstance(found, dict) and found.get("command") in _LEAVING:
                self.leaving.set()
            if found is None:
                self._has_ended = True
            self.messages.put(found)
            if found is None or isinstance(found, FramingError):
                return
