"""A shader belongs to the pipeline files whose passes are made of it, also through includes."""

from __future__ import annotations

from pathlib import Path

import pytest

from texelscope.language_server.target_index import MOST_TARGETS, TargetIndex
from texelscope.language_server.texts import EditorTexts

PIPELINE = '[pipeline]\nmodel = "m.onnx"\n\n[[pass]]\nname = "{}"\nshader = "{}"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "near/pipeline.toml": PIPELINE.format("a", "a.frag"),
        "near/a.frag": '#include "lib/shared.glsl"\nvoid main() { }\n',
        "near/lib/shared.glsl": "float f() { return 1.0; }\n",
        "near/alone.frag": "void main() { }\n",
        "near/notes.txt": "nothing\n",
        "near/pyproject.toml": "[tool.x]\na = 1\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path.resolve()


def targets(folder: Path, name: str, opened: dict[Path, str] | None = None) -> list[str]:
    found = TargetIndex([folder]).targets_of(folder / name, EditorTexts(opened or {}))
    return [each.relative_to(folder).as_posix() for each in found]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("near/a.frag", ["near/pipeline.toml"]),
        ("near/lib/shared.glsl", ["near/pipeline.toml"]),
        ("near/pipeline.toml", ["near/pipeline.toml"]),
        ("near/alone.frag", ["near/alone.frag"]),
        ("near/notes.txt", []),
        ("near/pyproject.toml", []),
    ],
)
def test_the_targets_of_a_file(folder: Path, name: str, expected: list[str]) -> None:
    assert targets(folder, name) == expected


def test_what_is_typed_counts(folder: Path) -> None:
    pipeline = folder / "near/pipeline.toml"
    assert targets(folder, "near/alone.frag", {pipeline: PIPELINE.format("a", "alone.frag")}) == ["near/pipeline.toml"]
    assert targets(folder, "near/pipeline.toml", {pipeline: "[[pass"}) == ["near/pipeline.toml"]


def test_the_nearest_pipeline_files_come_first(folder: Path) -> None:
    for number in range(MOST_TARGETS + 2):
        (folder / f"far{number}.toml").write_text(PIPELINE.format("a", "near/a.frag"), encoding="utf-8")
    found = targets(folder, "near/a.frag")
    assert found == ["near/pipeline.toml", "far0.toml", "far1.toml"]
