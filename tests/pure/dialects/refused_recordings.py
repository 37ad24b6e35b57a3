"""Changes the manifests of recordings, and reads what they are refused with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.target import OpenOptions

Change = Callable[[dict[str, Any]], object]


class WrittenPage(Protocol):
    """A recording that a test writes."""

    def write(self, folder: Path) -> Path:
        """Writes its files into a folder."""


def first(entries: str, **values: Any) -> Change:
    """Sets fields of the first of those entries."""
    return lambda about: about[entries][0].update(values)


def refused(page: WrittenPage, folder: Path) -> str:
    """The text of the error that the recording is refused with: one line."""
    page.write(folder)
    with pytest.raises(TexelscopeError) as caught:
        plan_of(folder, OpenOptions())
    assert "\n" not in str(caught.value)
    return str(caught.value)
