"""How far the open target runs, and what a save makes of a run that is under way."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import moderngl
import pytest

from pipeline.commands.opening import Target
from viewer.document import Document
from viewer.log import Log

FIXED = Path(__file__).parents[3] / "examples" / "webgl_cnn" / "fixed"
PASSES = 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXED, tmp_path / "cnn"))


@pytest.fixture
def document(gl: moderngl.Context, folder: Path) -> Iterator[Document]:
    """The example, opened and run."""
    opened = Document(gl, Log(), lambda: None)
    opened.open(Target(str(folder / "pipeline.toml")))
    end = time.monotonic() + 30.0
    while opened.session is None and time.monotonic() < end:
        opened.update()
        time.sleep(0.01)
    finish(opened)
    yield opened
    opened.close()


def finish(document: Document) -> None:
    while document.running:
        document.advance(1000.0)


def test_everything_runs_once_it_is_opened(document: Document) -> None:
    assert document.position == PASSES


def test_a_save_in_the_middle_of_a_run_does_not_cut_it_short(document: Document, folder: Path) -> None:
    document.run_all()
    document.advance(0.0)  # one pass
    assert 0 < document.position < PASSES
    shader = folder / "down.frag"
    shader.write_text(shader.read_text(encoding="utf-8") + "// saved", encoding="utf-8")
    document.reload()
    finish(document)
    assert document.position == PASSES


def test_a_save_runs_nothing_that_waits_for_a_step(document: Document) -> None:
    document.step_back()
    document.step_back()
    document.reload()
    finish(document)
    assert document.position == PASSES - 2


def test_running_to_a_pass_ends_there(document: Document) -> None:
    document.run_to(1)
    finish(document)
    assert document.position == 2
    assert document.session is not None
    assert [document.session.has_run(each.name) for each in document.passes] == [True, True, *[False] * 4]


def test_stopping_leaves_it_where_it_is(document: Document) -> None:
    document.run_all()
    document.advance(0.0)
    position = document.position
    document.stop()
    assert not document.running
    assert document.position == position
