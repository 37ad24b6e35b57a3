"""The example of one layer written twice, opened from its file: drawn and dispatched it gives the same."""

from __future__ import annotations

import moderngl

import pipeline
from tests.checkout import ROOT

EXAMPLE = ROOT / "examples" / "convolution_twice"


def test_both_versions_of_the_layer_match(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE / "pipeline.toml", context=gl) as session:
        session.run()
        report = session.compare()
        assert {each.name: each.verdict for each in report.passes} == {"drawn": "match", "dispatched": "match"}
        assert abs(session.tensor("drawn") - session.tensor("dispatched")).max() < 1e-5
