"""Whatever kind of target a name is of: what no file can be is a line, and nothing is waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.bundle import unpack


@pytest.mark.parametrize("suffix", [".onnx", ".toml", ".glsl", ".comp", ".tfjs.zip", ".texelscope", "/programs.json"])
def test_odd_files_as_targets_are_a_line(tmp_path: Path, suffix: str) -> None:
    if suffix.startswith("/"):
        for folder in ("itself", "pipe", "device", "far"):
            (tmp_path / folder).mkdir()
    (tmp_path / f"itself{suffix}").symlink_to(tmp_path / f"itself{suffix}")
    (tmp_path / f"far{suffix}").symlink_to("n" * 3000)
    (tmp_path / f"device{suffix}").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / f"pipe{suffix}")
    for name in ("itself", "far", "device", "pipe", "none", "n" * 300, "n/" * 3000, "a\0b", "\ud800"):
        path = tmp_path / f"{name}{suffix}"
        with pytest.raises(TexelscopeError) as caught:
            unpack(path, tmp_path) if suffix == ".texelscope" else pipeline.plan_of(path)
        assert "\n" not in str(caught.value)
