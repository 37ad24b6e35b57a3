"""Tests some random events: the window lives, answers, and reports no error. `make events` is longer."""

from __future__ import annotations

from pathlib import Path

from tests.events.hand import Hand
from tests.events.storm import Storm
from tests.gui.desktop import Desktop


def test_random_events_do_not_shake_it(display: str, desktop: Desktop, tmp_path: Path) -> None:
    with Hand(display) as hand:
        storm = Storm(desktop, hand, tmp_path, seed=20)
        try:
            outcome = storm.run(30, 100, lambda _: None)
        finally:
            storm.close()
    assert outcome.ended == ""
    assert outcome.failures == []
    assert outcome.freezes == []
