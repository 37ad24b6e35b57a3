"""A kept diagnosis reads as it was written; a text that is damaged or of something else is refused."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.kept_diagnoses.data import KeptDiagnosis, as_text, of_text

EDITS = (
    LineEdit("a.frag", 36, "x + 1.0;\t", "x;"),
    LineEdit("b.glsl", 3, None, "y;"),
    LineEdit("b.glsl", 4, "z;", None),
)
REPAIR = Repair(EDITS, "--- a/a.frag\n", 16384, 4, 6, "", in_translated=(LineEdit("a.wgsl", 9, "u", "v"),))
FINDING = Finding(
    "shift", {"dx": 1, "of": ["h", 0.5]}, 1.0, 4e-7, "a.frag", 44, "It reads right.", "Read left.",
    made=("a.frag", 36), sure=True, one_of=("shift", "stride"), repair=REPAIR,
)  # fmt: skip
PLAIN = Finding("scale", {}, 0.5, 0.0, "a.frag", None, "It is half.", "Double it.")
KEPT = KeptDiagnosis(Diagnosis((FINDING, PLAIN), "42 are left.", repairs=(REPAIR,), was_cut=False), looked=True)


def test_a_diagnosis_reads_as_it_was_written() -> None:
    assert of_text(as_text(KEPT), "k.json") == KEPT
    nothing = KeptDiagnosis(Diagnosis((), "nothing explains it"), looked=False)
    assert of_text(as_text(nothing), "k.json") == nothing


def test_numbers_of_numpy_and_infinities_do_not_stop_it() -> None:
    odd = Finding("scale", {"factor": np.float32(0.5), "at": (1, 2)}, 1.0, math.inf, "a.frag", 1, "", "")
    (found,) = of_text(as_text(KeptDiagnosis(Diagnosis((odd,)), looked=True)), "k.json").diagnosis.findings
    assert found.parameters == {"factor": 0.5, "at": [1, 2]}
    assert math.isnan(found.residual)


def damaged(*path: Any, to: Any) -> str:
    data = json.loads(as_text(KEPT))
    place = data
    for step in path[:-1]:
        place = place[step]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return json.dumps(data)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        as_text(KEPT)[:-20],
        damaged("version", to=99),
        damaged("findings", to={}),
        damaged("findings", to=[{}] * 1000),
        damaged("findings", 0, "cause", to=7),
        damaged("findings", 0, "line", to=-1),
        damaged("findings", 0, "line", to=True),
        damaged("findings", 0, "made", to=["a.frag"]),
        damaged("findings", 0, "explained", to="all"),
        damaged("findings", 0, "sure", to=None),
        damaged("repairs", 0, "edits", to=[]),
        damaged("repairs", 0, "edits", 0, "before", to=["x"]),
        damaged("repairs", 0, "edits", 0, to={"file": "a", "line": 1, "before": None, "after": None}),
        damaged("looked", to="yes"),
    ],
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(TexelscopeError, match=r"^k\.json: expected "):
        of_text(text, "k.json")


def test_the_refusal_says_what_to_do() -> None:
    with pytest.raises(TexelscopeError, match=r"a diagnosis of this version, got .*\. Delete the file\.$"):
        of_text("{}", "k.json")
