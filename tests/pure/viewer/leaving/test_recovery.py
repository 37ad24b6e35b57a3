"""Unsaved edits are kept while they are typed, and come back as typed once their target is open."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from texelscope.pipeline.target import Target
from texelscope.viewer.app import App
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.leaving.model.kept_edits import EditedText, EditsFile, KeptEdits
from texelscope.viewer.leaving.recovery_commands import SECONDS, Recovery, discard, edits_of, restore
from texelscope.viewer.shader_editor.model.drafts import Draft, Drafts
from texelscope.viewer.state import ViewState

FILE = cast(Any, SimpleNamespace(path="a.frag"))


@pytest.fixture
def app(tmp_path: Path) -> App:
    """Returns a window on a pipeline with one shader, whose text is shown."""
    drafts = Drafts()
    drafts.add(("a.frag",), Draft("a.frag", "one\n", "one\n", tmp_path / "a.frag", "first", FILE, "one\n"))
    target, opened = Target(str(tmp_path / "p.toml")), list[Target]()
    plan = SimpleNamespace(find=lambda _name: None)
    document = SimpleNamespace(
        session=SimpleNamespace(plan=plan), target=target, origin=target.path, opening="", open=opened.append
    )
    document.opened = opened
    saving = SimpleNamespace(drafts=drafts, left_behind=(), restoring=None, leave=None)
    training = SimpleNamespace(is_unsaved=False, trainer=None)
    parts = {"saving": saving, "training": training, "log": MessageLog(), "state": ViewState()}
    return cast(App, SimpleNamespace(document=document, **parts))


def type_(app: App, text: str) -> None:
    (draft,) = app.saving.drafts.unsaved or (app.saving.drafts.get(("a.frag",)),)
    assert draft is not None
    draft.text = text


def test_edits_are_written_now_and_then_and_removed_once_they_are_saved(app: App, tmp_path: Path) -> None:
    now = [0.0]
    recovery = Recovery(EditsFile(tmp_path / "unsaved"), lambda: now[0])
    recovery.update(app)
    type_(app, "two\n")
    recovery.update(app)
    assert not list(tmp_path.glob("unsaved/*.json")), "not at every letter"
    now[0] += SECONDS
    recovery.update(app)
    (place,) = tmp_path.glob("unsaved/*.json")
    assert "two" in place.read_text(encoding="utf-8")
    type_(app, "one\n")
    now[0] += SECONDS
    recovery.update(app)
    assert not list((tmp_path / "unsaved").iterdir())


def test_what_a_bundle_holds_is_not_kept_again(app: App) -> None:
    app.saving.drafts.typed["second", "b.frag"] = "x"
    assert [each.file for each in edits_of(app).texts] == ["b.frag"]
    app.saving.drafts.kept = frozenset({("second", "b.frag", "x")})
    assert not edits_of(app).texts


def test_restored_edits_are_typed_anew_and_selected_and_the_old_file_goes(app: App, tmp_path: Path) -> None:
    place = tmp_path / "old.json"
    place.write_text("{}", encoding="utf-8")
    texts = (EditedText("first", "a.frag", "one\n", "two\n"), EditedText("second", "b.frag", "", "x"))
    target = str(tmp_path / "p.toml")
    app.saving.left_behind = (KeptEdits(target, texts, place=place),)
    restore(app)
    assert app.saving.restoring is not None
    assert not cast(Any, app.document).opened, "it is open already"
    assert Recovery(EditsFile(None)).update(app)
    assert app.saving.drafts.get(("a.frag",)) is None, "its editor begins anew"
    assert app.saving.drafts.typed == {("first", "a.frag"): "two\n", ("second", "b.frag"): "x"}
    assert app.state.selected == "first"
    assert not place.exists()
    assert [each.text for each in app.log.entries] == ["Restored edits of 2 shaders; nothing is saved yet."]


def test_restoring_opens_the_target_first_and_discarding_removes_the_file(app: App, tmp_path: Path) -> None:
    places = [tmp_path / "1.json", tmp_path / "2.json"]
    for place in places:
        place.write_text("{}", encoding="utf-8")
    text = EditedText("conv", "conv.glsl", "", "x")
    other = str(tmp_path / "other.onnx")
    app.saving.left_behind = tuple(KeptEdits(other, (text,), {"x": (1, 3)}, place) for place in places)
    discard(app)
    assert [place.exists() for place in places] == [False, True]
    restore(app)
    (opened,) = cast(Any, app.document).opened
    assert (opened.path, dict(opened.options.shapes)) == (other, {"x": (1, 3)})
    assert not Recovery(EditsFile(None)).update(app), "it waits until that is open"
    assert places[1].exists(), "and is kept until then"


def test_a_text_that_waits_for_a_users_file_goes_to_its_editor_whichever_pass_is_shown(tmp_path: Path) -> None:
    drafts = Drafts()
    drafts.typed = {("first", "a.frag"): "two\n", ("first", "b.glsl"): "x"}
    assert drafts.take_typed("other", FILE, tmp_path / "a.frag") == "two\n"
    assert drafts.take_typed("other", cast(Any, SimpleNamespace(path="b.glsl")), None) is None, "built in: of one pass"
    assert list(drafts.typed) == [("first", "b.glsl")]
