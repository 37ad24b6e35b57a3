"""Recording for the report between frames: handed on when complete, and never of what is no longer open."""

from __future__ import annotations

from typing import Any, cast

from texelscope.pipeline.export.live_page.recordings import PageRecorder
from texelscope.viewer.export.model.page_recording import PageRecording


class Recorder:
    """Records for so many frames."""

    def __init__(self, frames: int) -> None:
        self.left, self.count = frames, frames
        self.recordings: Any = {"a": ()}

    @property
    def progress(self) -> float:
        return 1.0 - self.left / self.count

    def step(self) -> bool:
        self.left -= 1
        return self.left >= 0


def begun(frames: int, *, current: bool = True) -> tuple[PageRecording, list[Any]]:
    recording, given = PageRecording(), list[Any]()
    recorder = cast("PageRecorder", Recorder(frames))
    recording.begin(recorder, lambda: current, given.append, lambda: given.append("stale"))
    return recording, given


def test_each_frame_records_one_element_and_then_all_are_handed_on() -> None:
    recording, given = begun(2)
    assert recording.advance(is_writing=False)
    assert recording.progress == 0.5
    assert recording.advance(is_writing=False)
    assert given == []
    assert recording.advance(is_writing=False)
    assert given == [{"a": ()}]
    assert recording.progress is None
    assert not recording.advance(is_writing=False)


def test_what_is_complete_waits_for_the_file_that_is_being_written() -> None:
    recording, given = begun(1)
    recording.advance(is_writing=True)
    assert not recording.advance(is_writing=True)
    assert given == []
    recording.advance(is_writing=False)
    assert len(given) == 1


def test_what_was_changed_meanwhile_is_dropped_and_told() -> None:
    recording, given = begun(1, current=False)
    recording.advance(is_writing=False)
    assert recording.progress is None
    assert given == ["stale"]


def test_nothing_is_handed_on_of_what_was_cancelled() -> None:
    recording, given = begun(1)
    recording.cancel()
    recording.advance(is_writing=False)
    assert given == []
