"""Nothing is left with unsaved work unless somebody says so, and a save that fails keeps the question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from texelscope.pipeline.target import Target
from texelscope.viewer.app import App
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.export.where_kept import needs_bundle, unsaved_work
from texelscope.viewer.leaving import commands as leaving
from texelscope.viewer.shader_editor.model.drafts import Draft, Drafts, stamp_of


@pytest.fixture
def app(tmp_path: Path) -> App:
    """Returns a window on a file of a person's own, with a letter typed into it."""
    path = tmp_path / "a.frag"
    path.write_text("one\n", encoding="utf-8")
    drafts = Drafts()
    draft = drafts.add((str(path),), Draft("a.frag", "", "", path))
    draft.taken("one\n", "one\n")
    draft.text = "two\n"
    opened: list[Target] = []
    document = SimpleNamespace(
        session=None,
        open=opened.append,
        opened=opened,
        target=Target(str(tmp_path / "p.toml")),
        origin="p.toml",
        is_unpacked=False,
    )
    exports = SimpleNamespace(problem="The disk is full.")
    saving = SimpleNamespace(drafts=drafts, leave=None, background=SimpleNamespace(job=None), exports=exports)
    training = SimpleNamespace(is_unsaved=False, trainer=None)
    return cast(
        App, SimpleNamespace(document=document, saving=saving, training=training, log=MessageLog(), closing=False)
    )


def test_it_is_asked_before_another_target_opens_and_not_without_need(app: App, tmp_path: Path) -> None:
    other, same = Target(str(tmp_path / "other.onnx")), Target(str(tmp_path / "p.toml"))
    leaving.leave(app, same)
    assert app.saving.leave is None, "what was edited stays with the same target"
    leaving.leave(app, other)
    assert app.saving.leave is not None
    leaving.stay(app)
    assert app.saving.leave is None
    leaving.leave(app, other)
    leaving.go(app)
    assert cast(Any, app.document).opened == [same, other]
    app.saving.drafts.forget()
    leaving.leave(app)
    assert app.closing


def test_trained_weights_are_asked_about_whatever_is_opened_and_saved(app: App, tmp_path: Path) -> None:
    app.saving.drafts.forget()
    place, saved = tmp_path / "m.trained.onnx", list[Path]()
    cast(Any, app).training = SimpleNamespace(
        is_unsaved=True, trainer=SimpleNamespace(steps=3), save_as=str(place), save=saved.append
    )
    for target in (Target(str(tmp_path / "p.toml")), Target(str(tmp_path / "other.onnx")), None):
        (work,) = leaving.lost_work(app, target)
        assert (work.what, work.why) == ("Trained weights", f"after 3 steps, not saved to {place}")
        leaving.leave(app, target)
        assert app.saving.leave is not None
    leaving.save_all(app)
    assert (saved, app.closing) == ([place], True)
    assert [entry.text for entry in app.log.entries] == [f"Saved the trained model as {place}."]


def test_save_all_writes_files_and_goes(app: App, tmp_path: Path) -> None:
    assert [(each.what, each.path) for each in unsaved_work(app)] == [("a.frag", tmp_path / "a.frag")]
    assert not needs_bundle(app)
    leaving.leave(app)
    leaving.save_all(app)
    assert app.closing
    assert (tmp_path / "a.frag").read_text(encoding="utf-8") == "two\n"


def test_a_file_that_another_program_saved_keeps_the_question(app: App, tmp_path: Path) -> None:
    (tmp_path / "a.frag").write_text("theirs\n", encoding="utf-8")
    leaving.leave(app)
    leaving.save_all(app)
    assert not app.closing
    assert app.saving.leave is not None
    assert "another program has changed it" in app.saving.leave.problem
    assert (tmp_path / "a.frag").read_text(encoding="utf-8") == "theirs\n"


def test_a_bundle_that_cannot_be_written_keeps_the_question(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    saves: list[Callable[[], None]] = []
    monkeypatch.setattr(leaving, "save_bundle", lambda _app, path, then: saves.append(then))
    monkeypatch.setattr(leaving, "bundle_place", lambda _app: Path("p.texelscope"))
    app.saving.drafts.note_tried("conv", "shaders/conv.glsl", "tried", "own")
    assert [each.why for each in unsaved_work(app)][1:] == ["tried here, in no file"]
    assert needs_bundle(app)
    leaving.leave(app)
    leaving.save_all(app)
    assert not app.closing
    leaving.follow(app)
    assert app.saving.leave is not None
    assert app.saving.leave.problem == "The disk is full."
    leaving.save_all(app)
    assert len(saves) == 2
    saves[-1]()
    assert app.closing


def test_files_of_a_bundle_count_once_they_were_saved_again(app: App, tmp_path: Path) -> None:
    path = tmp_path / "b.frag"
    path.write_text("b", encoding="utf-8")
    app.saving.drafts.forget()
    app.saving.drafts.stamps = {path: stamp_of(path)}
    cast(Any, app.document).is_unpacked = True
    cast(Any, app.document).origin = "x.texelscope"
    assert unsaved_work(app) == ()
    path.write_text("bb", encoding="utf-8")
    assert [each.why for each in unsaved_work(app)] == ["saved, but not into x.texelscope yet"]
