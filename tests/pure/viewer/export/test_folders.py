"""Tests where layers go that are exported without a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from texelscope.viewer.export.model.exports import folder_for


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("models/unet.onnx", "unet"),
        ("mine/pipeline.toml", "mine"),
        ("mine/broken.toml", "broken"),
        ("mine/fixed 56.toml", "fixed_56"),
        ("pipeline.toml", "layers"),
    ],
)
def test_pipeline_files_side_by_side_export_to_folders_of_their_own_names(target: str, name: str) -> None:
    assert folder_for(target) == Path("out") / name
