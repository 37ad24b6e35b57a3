"""Tests what the window remembers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from texelscope.viewer.memory.settings import MAX_RECENT, KeptLayout, Settings


def test_settings_come_back_as_they_were_saved(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "window.json"
    settings = Settings(["a.onnx"], ["00ff"], "[Window][Layers]", ["Layers"], ["Log"], (1200, 800))
    settings.fused, settings.backend = True, "compute"
    settings.scale, settings.compact, settings.room = 1.5, True, "middle"
    settings.layouts = {"wide": KeptLayout("[Window][Texture]", ["Log"])}
    settings.keep_ranges("a.onnx", {"down1": {"value": [-1.5, 2.0]}})
    settings.colours = {"sequential": "magma"}
    settings.save(path)
    assert Settings.load(path) == settings


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "null",
        '{"version": 99}',
        '{"version": 1, "recent": 3, "layout": [], "size": ["a", 1], "ranges": {"a": [1], "b": 2}}',
        '{"version": 1, "fused": "yes", "backend": "quantum"}',
        '{"version": 1, "scale": 40, "compact": 1, "room": "hall"}',
        '{"version": 1, "layouts": {"a": 1, "": {"layout": "b"}, "c": {"layout": []}}}',
        "\xff",
    ],
    ids=[
        "empty",
        "no JSON",
        "a list",
        "null",
        "another version",
        "wrong types",
        "no such backend",
        "no such scale",
        "no layouts",
        "a letter",
    ],
)
def test_a_file_that_is_not_understood_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "window.json"
    path.write_bytes(text.encode("latin-1"))
    assert Settings.load(path) == Settings()


def test_there_need_not_be_a_file(tmp_path: Path) -> None:
    assert Settings.load(tmp_path / "none.json") == Settings()


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    Settings().save(tmp_path / "file" / "window.json")


def test_the_newest_target_comes_first_and_once(tmp_path: Path) -> None:
    settings = Settings()
    for name in ("a.onnx", "b.onnx", "a.onnx"):
        settings.opened(str(tmp_path / name))
    assert settings.recent == [str(tmp_path / "a.onnx"), str(tmp_path / "b.onnx")]


def test_the_ranges_set_for_layers_of_a_target_are_kept_while_it_is_recent() -> None:
    settings = Settings(recent=["a.onnx"])
    settings.keep_ranges("a.onnx", {"x": {"value": [0.0, 4.0]}})
    settings.keep_ranges("old.onnx", {"x": {"value": [0.0, 5.0]}})
    assert settings.ranges == {"a.onnx": {"x": {"value": [0.0, 4.0]}}}
    settings.keep_ranges("a.onnx", {})
    assert not settings.ranges


def test_only_the_newest_targets_are_kept() -> None:
    settings = Settings()
    for number in range(MAX_RECENT + 5):
        settings.opened(f"{number}.onnx")
    assert len(settings.recent) == MAX_RECENT
    assert settings.recent[0].endswith(f"{MAX_RECENT + 4}.onnx")


@pytest.mark.parametrize("size", [[100, 800], [20000, 800], [800], None, [True, "x"]])
def test_a_window_size_that_makes_no_sense_is_forgotten(tmp_path: Path, size: object) -> None:
    path = tmp_path / "window.json"
    Settings(size=size).save(path)  # type: ignore[arg-type]
    assert Settings.load(path).size is None


def test_how_long_repairs_are_looked_for_is_one_of_the_budgets(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    for kept, read in ((60.0, 60.0), (0, 0.0), (7.0, 20.0), ("60", 20.0), (None, 20.0)):
        path.write_text(json.dumps({"version": 1, "repair_seconds": kept}))
        assert Settings.load(path).repair_seconds == read
