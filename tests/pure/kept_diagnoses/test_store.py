"""The folder of kept diagnoses: it stays small, and nothing in it does harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.pure.kept_diagnoses.test_data import KEPT
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.kept_diagnoses.data import KeptDiagnosis
from texelscope.pipeline.kept_diagnoses.store import MOST_BYTES_OF_ONE, KeptDiagnoses


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_kept_is_there_for_another_window(tmp_path: Path) -> None:
    folder = tmp_path / "not yet" / "findings"
    assert KeptDiagnoses(folder).get("a") is None
    KeptDiagnoses(folder).keep("a", KEPT)
    assert KeptDiagnoses(folder).get("a") == KEPT
    assert KeptDiagnoses(folder).get("b") is None
    assert names(folder) == ["a.json"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}", b"x" * (MOST_BYTES_OF_ONE + 1)])
def test_a_damaged_file_is_no_diagnosis_and_goes(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    assert KeptDiagnoses(tmp_path).get("a") is None
    assert names(tmp_path) == []


def test_the_oldest_go_first_and_what_is_used_is_not_old(tmp_path: Path) -> None:
    kept = KeptDiagnoses(tmp_path, most_files=3)
    for age, key in enumerate("abc"):
        kept.keep(key, KEPT)
        os.utime(tmp_path / f"{key}.json", (1000.0 + age, 1000.0 + age))
    assert kept.get("a") == KEPT
    kept.keep("d", KEPT)
    assert names(tmp_path) == ["a.json", "c.json", "d.json"]


def test_the_folder_keeps_to_its_size_and_leaves_other_files_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x" * 5000)
    KeptDiagnoses(tmp_path).keep("a", KEPT)
    size = (tmp_path / "a.json").stat().st_size
    os.utime(tmp_path / "a.json", (1000.0, 1000.0))
    kept = KeptDiagnoses(tmp_path, most_bytes=int(2.5 * size))
    kept.keep("b", KEPT)
    os.utime(tmp_path / "b.json", (2000.0, 2000.0))
    kept.keep("c", KEPT)
    assert names(tmp_path) == ["b.json", "c.json", "mine.txt"]


def test_one_too_large_is_not_kept(tmp_path: Path) -> None:
    KeptDiagnoses(tmp_path).keep("a", KeptDiagnosis(Diagnosis((), "x" * MOST_BYTES_OF_ONE), looked=True))
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_only_missing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = KeptDiagnoses(tmp_path / "file")
    kept.keep("a", KEPT)
    assert kept.get("a") is None
