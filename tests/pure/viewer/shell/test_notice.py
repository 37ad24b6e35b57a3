"""Which entry of the log is shown over the window, and for how long."""

from __future__ import annotations

from texelscope.viewer.document.log import MAX_ENTRIES, MessageLog
from texelscope.viewer.shell.notice import SECONDS, Notice


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_an_error_is_shown_for_its_time_and_not_again() -> None:
    clock, log = Clock(), MessageLog()
    notice = Notice(clock)
    log.add("It broke.", error=True)
    log.add("Something else went on.")
    shown = notice.update(log.entries)
    assert shown is not None
    assert shown.text == "It broke."
    assert notice.seconds_left() == SECONDS
    clock.now += SECONDS
    assert notice.update(log.entries) is None
    assert notice.update(log.entries) is None


def test_the_newest_of_several_is_shown_until_it_is_dismissed() -> None:
    log = MessageLog()
    notice = Notice(Clock())
    log.add("First.", warning=True)
    notice.update(log.entries)
    log.add("Second.", error=True)
    shown = notice.update(log.entries)
    assert shown is not None
    assert shown.text == "Second."
    notice.dismiss()
    assert notice.update(log.entries) is None


def test_what_is_only_said_is_not_shown() -> None:
    log = MessageLog()
    log.add("Opened.")
    assert Notice(Clock()).update(log.entries) is None


def test_an_old_error_does_not_come_back_when_the_log_forgets_its_oldest_entries() -> None:
    log = MessageLog()
    notice = Notice(Clock())
    log.add("It broke.", error=True)
    notice.update(log.entries)
    notice.dismiss()
    for number in range(MAX_ENTRIES - 1):
        log.add(f"Line {number}.")
    assert notice.update(log.entries) is None
    log.add("One more.")
    assert notice.update(log.entries) is None
