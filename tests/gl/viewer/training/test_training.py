"""Tests training between frames: its effect on the open session, undoing it, failures and reports."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from tests.gl.viewer.document.test_document import finish, opened_on
from tests.small_networks import perceptron
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.training.request import TrainingRequest
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.training.model.training import Training

BUDGET_MS = 5.0


@pytest.fixture
def log() -> MessageLog:
    return MessageLog()


@pytest.fixture
def document(gl: moderngl.Context, tmp_path: Path, log: MessageLog) -> Iterator[Document]:
    """A small network, opened and run; beside it `pairs` of points and their sines."""
    onnx.save(perceptron([1, 8, 1], rows=16), tmp_path / "sine.onnx")
    (tmp_path / "pairs").mkdir()
    for seed in range(2):
        points = np.random.default_rng(seed).uniform(-3.0, 3.0, (16, 1)).astype(np.float32)
        np.save(tmp_path / "pairs" / f"{seed}.npy", points)
        np.save(tmp_path / "pairs" / f"{seed}.target.npy", np.sin(points))
    opened = opened_on(gl, tmp_path / "sine.onnx", log)
    yield opened
    opened.close()


@pytest.fixture
def training(tmp_path: Path) -> Training:
    """Both layers are to learn the pairs."""
    made = Training()
    made.ask(TrainingRequest(str(tmp_path / "pairs"), weights="0,1", rate=0.01))
    return made


def one_step(training: Training, document: Document, log: MessageLog) -> float:
    training.step(document, log)
    advance(training, document, log)
    assert training.curve.newest is not None
    return training.curve.newest


def advance(training: Training, document: Document, log: MessageLog) -> None:
    """Frame after frame until nothing is to be done."""
    while training.is_under_way:
        training.advance(document, log, BUDGET_MS)


def errors(log: MessageLog) -> list[str]:
    return [entry.text for entry in log.entries if entry.level == "error"]


def test_steps_are_seen_as_the_open_session_and_lower_the_loss(
    training: Training, document: Document, log: MessageLog
) -> None:
    training.run(document, log)
    while training.curve.steps < 20:
        assert training.advance(document, log, BUDGET_MS)
    training.pause(document)
    advance(training, document, log)
    losses = training.curve.branches[-1].losses
    assert losses[-1] < 0.5 * losses[0]
    assert training.trainer is not None
    assert document.session is training.trainer.session
    assert {"0.weight", "target"} <= set(document.session.plan.inputs)
    assert all(document.session.has_run(each.name) for each in document.passes)
    assert errors(log) == []


def test_verdicts_come_while_it_goes_on(training: Training, document: Document, log: MessageLog) -> None:
    training.run(document, log)
    end = time.monotonic() + 30.0
    while document.comparison is None and time.monotonic() < end:
        training.advance(document, log, BUDGET_MS)
        document.update()
    assert training.is_running
    assert document.comparison is not None
    assert {each.verdict for each in document.comparison.report.passes} == {"match"}


def test_going_back_does_the_same_steps_again(training: Training, document: Document, log: MessageLog) -> None:
    one_step(training, document, log)
    kept = training.keep()
    first = [one_step(training, document, log) for _ in range(3)]
    training.rewind(document, kept.number)
    assert training.trainer is not None
    assert training.trainer.steps == 1
    assert [one_step(training, document, log) for _ in range(3)] == first
    assert [branch.first for branch in training.curve.branches] == [1, 2]


def test_a_loss_that_is_not_finite_stops_and_says_where_it_began(
    training: Training, document: Document, log: MessageLog
) -> None:
    training.ask(replace(training.asked, optimiser="sgd", rate=1e30))
    training.run(document, log)
    advance(training, document, log)
    assert not training.is_running
    (error,) = errors(log)
    assert "expected a finite loss" in error
    assert "was the first" in error
    assert "element [" in error
    training.rewind(document, 0)
    training.set_rate(1e-3)
    assert np.isfinite(one_step(training, document, log))


def test_another_target_ends_it(training: Training, document: Document, log: MessageLog, gl: moderngl.Context) -> None:
    one_step(training, document, log)
    assert training.is_unsaved
    assert training.curve.steps == 1
    assert document.target is not None
    document.open(document.target)
    before = document.session
    while document.session is before:
        document.update()
    finish(document)
    assert not training.advance(document, log, BUDGET_MS)
    assert training.trainer is None
    assert not training.is_unsaved
    assert (training.curve.steps, training.curve.newest, training.milliseconds) == (0, None, None)
    with pytest.raises(TexelscopeError, match="expected a model that is trained, got none"):
        training.keep()


def test_what_cannot_be_had_is_a_line_and_the_model_stays_open(
    training: Training, document: Document, log: MessageLog, tmp_path: Path
) -> None:
    session = document.session
    for wish, told in (
        ({"weights": "nothing"}, "expected weights of the model, got 'nothing*'"),
        ({"data": str(tmp_path / "none")}, "expected a folder of examples"),
        ({"loss": "mes"}, "expected one of mse, mae, cross_entropy, got 'mes'"),
    ):
        training.ask(replace(training.asked, **wish), starts=True)  # type: ignore[arg-type]
        advance(training, document, log)
        assert told in errors(log)[-1]
        training.ask(replace(TrainingRequest(str(tmp_path / "pairs"))))
    assert document.session is session
