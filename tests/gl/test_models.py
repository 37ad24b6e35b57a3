"""Models as exporters, quantisers and optimisers write them match in every pass, and give what ONNX Runtime gives.

`make models` runs those too that take longer.
"""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from tests.conformance.workers import shared_programs
from tests.models.catalogue import CATALOGUE, Model
from tests.models.run import FOLDER, run
from texelscope import pipeline
from texelscope.pipeline.opening import set_inputs
from texelscope.pipeline.target import Target


@pytest.fixture(scope="module")
def programs(gl: moderngl.Context) -> Iterator[None]:
    """The models share programs that are alike."""
    with shared_programs(gl):
        yield


@pytest.mark.parametrize("model", [model for model in CATALOGUE if model.often], ids=lambda model: model.name)
def test_a_model_as_it_is_written_matches_in_every_pass(model: Model, programs: None, gl: moderngl.Context) -> None:
    result = run(model, gl)
    assert result.matches, (result.verdicts, result.difference, result.problem)


def test_every_model_is_in_the_catalogue_and_small() -> None:
    files = {path.stem: path.stat().st_size for path in FOLDER.glob("*.onnx")}
    assert set(files) == {model.name for model in CATALOGUE}
    assert max(files.values()) <= 60_000


def test_default_inputs_are_words_that_a_table_has(gl: moderngl.Context) -> None:
    with pipeline.open(FOLDER / "ort_transformers_bert.onnx", context=gl) as session:
        set_inputs(session, Target("ort_transformers_bert.onnx"))
        segments = session.tensor("token_type_ids")
    assert (segments.min(), segments.max()) == (0.0, 1.0)
