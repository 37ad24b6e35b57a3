"""Serves one conversation with an editor on two streams, until it ends or the editor is gone."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any, BinaryIO

from texelscope.pipeline.debug_adapter.framing import BodyError, read_message, write_message
from texelscope.pipeline.debug_adapter.requests import DebugAdapter, OrderOf


def serve(incoming: BinaryIO, outgoing: BinaryIO, order_of: OrderOf) -> None:
    """Answers requests until the client disconnects or its stream ends.

    Raises FramingError for bytes that are no messages, OSError if nobody reads the answers.
    """
    numbers = count(1)

    def send(message: Mapping[str, Any]) -> None:
        write_message(outgoing, {"seq": next(numbers), **message})

    adapter = DebugAdapter(send, order_of)
    try:
        while not adapter.is_over:
            try:
                message = read_message(incoming)
            except BodyError as error:
                adapter.refuse_message(error)
                continue
            if message is None:
                return
            adapter.answer(message)
    finally:
        adapter.release()
