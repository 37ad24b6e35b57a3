"""Every malformed pipeline file of the folder gives the error that lies beside it, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_file.table import PipelineFileError

FOLDER = ROOT / "tests" / "data" / "malformed_pipelines"
FILES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_malformed_file_gives_the_error_beside_it(path: Path) -> None:
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(path)
    assert f"{caught.value}\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_the_folder_has_a_text_for_each_file_and_a_file_for_each_text() -> None:
    texts = {path.stem for path in FOLDER.glob("*.txt")}
    assert texts == {path.stem for path in FILES}
    assert len(FILES) >= 25


def test_all_problems_come_at_once_in_the_order_of_the_file() -> None:
    with pytest.raises(PipelineFileError) as caught:
        pipeline.plan_of(FOLDER / "several_at_once.toml")
    tables = [problem.table for problem in caught.value.problems]
    assert tables == sorted(tables, key=["[[input]] 'image'", "[[pass]] 'conv1'", "[[pass]] 'relu1'"].index)
    assert len(set(tables)) == 3
    assert all(problem.file == "several_at_once.toml" for problem in caught.value.problems)
