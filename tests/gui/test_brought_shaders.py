"""Shaders as people bring them: from the file to a compared pass with a few typed lines, by mouse and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.brought.kinds import KINDS, Brought
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window

# A person types no more than this.
MOST_LINES = 5


def is_drafted(seen: dict[str, Any]) -> bool:
    return bool(seen) and "panel Draft" in seen["places"] and bool(seen["settled"])


def fill_in(desktop: Desktop, window: Window, field: str, value: str) -> None:
    """Types a value into its row; into the line for any field if the row is out of view, or there is none."""
    in_view = f"draft {field}" in window.seen()["places"]
    desktop.click_on(window, f"draft {field}" if in_view else "draft further")
    desktop.press("ctrl+a")
    desktop.write(value if in_view else f"{field} = {value}")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: seen["dialect"].get(field) == value and seen["settled"], f"{field} is tried")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_shader_that_is_brought_is_compared_after_a_few_typed_lines(
    kind: Brought, desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    assert len(kind.typed) + (kind.edit is not None) <= MOST_LINES
    window = launch(kind.lay_out(tmp_path / kind.name))
    desktop.wait_for(window, is_drafted, "its draft is there")
    desktop.click_on(window, "panel Draft")
    for field, value in kind.typed.items():
        fill_in(desktop, window, field, value)
    kind.apply_edit(tmp_path / kind.name)
    desktop.wait_for(
        window,
        lambda seen: bool(seen["verdicts"]) and {*seen["verdicts"].values()} == {"match"},
        "every pass matches the model",
        seconds=90,
    )
