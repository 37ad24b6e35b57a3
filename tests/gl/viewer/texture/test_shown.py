"""The range that a texture is shown in: of its data as soon as there is some, kept by layer, prepared for pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import moderngl
import numpy as np
import onnx
import pytest
from PIL import Image

from tests.pure.models import model, node, value
from texelscope.pipeline.target import Target
from texelscope.viewer.app import Analyses, App, Display, Saving
from texelscope.viewer.canvas.canvas import Canvas
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.state import ViewMode, ViewState
from texelscope.viewer.texture.shown import ShownTensor, data_range, look

SHAPE = (1, 3, 8, 8)


@dataclass
class Opened:
    """A target that has run, in an app without a window."""

    app: App

    def shown(self, layer: str, mode: ViewMode = ViewMode.ACTUAL) -> ShownTensor:
        """Returns what the first tab shows of a layer."""
        view = self.app.state.view
        self.app.state.selected, view.mode = layer, mode
        found = look(self.app, view)
        assert found is not None
        return found

    def compare(self) -> None:
        """Waits until everything is compared."""
        document, end = self.app.document, time.monotonic() + 30.0
        while not document.is_compared and time.monotonic() < end:
            document.update()
            time.sleep(0.01)
        assert document.is_compared


@pytest.fixture
def opened(gl: moderngl.Context, tmp_path: Path) -> Iterator[Callable[[str], Opened]]:
    """Opens y = −relu(3 · x) on the given source, run but not compared."""
    canvas, apps = Canvas(gl), []

    def start(source: str) -> Opened:
        nodes = [node("Mul", "x k", "m", "scaled"), node("Relu", "m", "r", "act"), node("Neg", "r", "y", "out")]
        made = model(nodes, [value("x", SHAPE)], [value("y", SHAPE)], weights={"k": np.array([3.0], dtype=np.float32)})
        onnx.save(made, tmp_path / "m.onnx")
        document = Document(gl, MessageLog(), lambda: None)
        none = cast(Any, None)
        app = App(
            document=document,
            state=ViewState(),
            log=MessageLog(),
            remembering=none,
            display=Display(canvas=canvas, fonts=none),
            analyses=Analyses(diagnoses=none, captured=none, modes=none, runs=none, layouts=none),
            saving=Saving(background=none),
        )
        apps.append(app)
        document.open(Target(str(tmp_path / "m.onnx"), inputs={"x": source}))
        end = time.monotonic() + 30.0
        while document.session is None and time.monotonic() < end:
            document.update()
            time.sleep(0.01)
        while document.run.is_under_way:
            document.run.advance(1000.0)
        return Opened(app)

    yield start
    for app in apps:
        app.document.close()
    canvas.release()


def saved(folder: Path, values: np.ndarray) -> str:
    np.save(folder / "x.npy", values.astype(np.float32))
    return str(folder / "x.npy")


def test_a_range_is_there_before_anything_is_compared_and_the_oracle_shares_it(
    opened: Callable[[str], Opened], tmp_path: Path
) -> None:
    x = np.linspace(0.0, 2.0, 192).reshape(SHAPE)
    target = opened(saved(tmp_path, x))
    shown = target.shown("scaled")
    assert shown.expected is None
    assert shown.limits == pytest.approx((0.0, 6.0))
    assert data_range(target.app, "m") == pytest.approx((0.0, 6.0)), "of its small picture too"
    assert target.shown("scaled", ViewMode.DIFFERENCE).mode is ViewMode.ACTUAL, "there is nothing to differ from yet"
    target.compare()
    assert target.shown("scaled", ViewMode.ORACLE).limits == pytest.approx((0.0, 6.0))
    assert target.shown("scaled", ViewMode.DIFFERENCE).is_signed


def test_ranges_are_kept_by_layer_and_by_what_they_are_of(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    target = opened(saved(tmp_path, np.linspace(-1.0, 2.0, 192).reshape(SHAPE)))
    target.compare()
    target.shown("scaled").chosen.put(-0.5, 0.5)
    assert target.shown("scaled", ViewMode.ORACLE).limits == (-0.5, 0.5), "actual and oracle share it"
    assert target.shown("scaled", ViewMode.DIFFERENCE).chosen.follows
    assert target.shown("act").limits == pytest.approx((0.0, 6.0))
    target.shown("scaled").chosen.follows = True
    assert target.shown("scaled").limits == pytest.approx((-6.0, 6.0)), "about zero"


def test_black_and_white_are_told_by_the_source_or_by_the_data(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    Image.fromarray(np.full((8, 8, 3), 20, dtype=np.uint8)).save(tmp_path / "dark.png")
    dark = opened(str(tmp_path / "dark.png")).shown("x")
    assert (dark.is_picture, dark.limits, dark.why) == (True, (0.0, 1.0), "as the picture was loaded")
    wide = opened(saved(tmp_path, np.linspace(0.0, 255.0, 192).reshape(SHAPE)))
    assert wide.shown("x").limits == (0.0, 255.0)
    out = wide.shown("out")
    assert out.is_picture
    assert out.limits == pytest.approx((-765.0, 0.0)), "no such pictures are prepared: as the values run"
