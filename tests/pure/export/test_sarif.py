"""SARIF: valid by the published schema, a result for each finding, and fixes that make the edits of the repairs."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sarif_reader import place_of, replaced, results_of
from texelscope.pipeline.compare.repairs import LineEdit, Repair, edited
from texelscope.pipeline.compare.report import Figures, Finding, PassReport, Repeated, summarise
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.diagnose.hypotheses.registry import all_causes
from texelscope.pipeline.export.sarif import ReviewedFiles, sarif_of_difference, sarif_of_report
from texelscope.pipeline.runs.difference import difference
from texelscope.pipeline.runs.run import HeldTensor, Run

ROOT = Path("/checkout")
SHADER = "void main() {\n    float y = t;\n    x = y - 1.0;\n    colour = x;\n}\n"
PIPELINE = '[pipeline]\nname = "n"\n[[pass]]\nname = "odd"\n[[pass]]\n  name  =  \'up 2\'\n'
TEXTS = {"down.frag": SHADER, "pipeline.toml": PIPELINE}
FILES = ReviewedFiles(ROOT / "sh aders/pipeline.toml", ROOT / "sh aders", ROOT, TEXTS.get)
DEVICE = DeviceInfo("a \x00 renderer", "4.5")
WRONG = Figures(0.1, 0.2, 31.5, 1984, 16384)
REPAIR = Repair((LineEdit("down.frag", 3, "    x = y - 1.0;", "    x = y;"),), "", 16384, 4, 6)
FINDING = Finding(
    "tile_bleed", {"dx": -1, "worst": float("inf")}, 0.998, 3e-7, "down.frag", 4, "reads left", "Clamp it.",
    made=("down.frag", 3), sure=True, repair=REPAIR,
)  # fmt: skip
SECOND = dataclasses.replace(FINDING, cause="shift", sure=False, repair=None, made=None, line=9999)
DOWN = PassReport("down1", "Conv", (1,), "linear", "mismatch", WRONG, WRONG, findings=(FINDING, SECOND))


def of(*passes: PassReport, **changes: Any) -> list[dict[str, Any]]:
    report = dataclasses.replace(summarise("net", DEVICE, passes), **changes)
    return results_of(sarif_of_report(report, FILES))


def test_each_finding_is_a_result_at_the_line_to_change_with_its_repair() -> None:
    first, second = of(DOWN)
    assert (first["ruleId"], first["level"], place_of(first)) == ("tile_bleed", "error", ("sh aders/down.frag", 3))
    assert first["message"] == {
        "text": "Pass 'down1': tile bleed (dx -1, worst inf) explains 99.8%, sure. Reads left. Clamp it."
    }
    (used,) = first["relatedLocations"]
    assert used["physicalLocation"]["region"] == {"startLine": 4, "snippet": {"text": "    colour = x;"}}
    (fix,) = first["fixes"]
    assert fix["description"]["text"] == "With this change all 16,384 elements match, on 4 inputs and at 6 sizes."
    (change,) = fix["artifactChanges"]
    assert replaced(SHADER, change["replacements"]) == SHADER.replace("y - 1.0", "y")
    assert (second["ruleId"], second["level"]) == ("shift", "note")
    assert place_of(second) == ("sh aders/down.frag", None), "the file has no such line"


def test_what_is_right_says_nothing_and_what_has_no_finding_says_what_is_known() -> None:
    bare = dataclasses.replace(DOWN, findings=())
    results = of(
        PassReport("fine", "Relu", (1,), "linear", "match"),
        PassReport("unknown", "Relu", (1,), "linear", "not_compared", message="No oracle."),
        dataclasses.replace(bare, name="up 2"),
        dataclasses.replace(bare, name="late"),
        dataclasses.replace(bare, name="mended", repairs=(REPAIR,)),
        PassReport("odd", "Conv", (1,), "linear", "error", message="down.frag:2: no 't'"),
        undiagnosed=("late",),
    )
    said = [(each["ruleId"], place_of(each), "fixes" in each) for each in results]
    assert said == [
        ("unexplained", ("sh aders/pipeline.toml", 6), False),
        ("not_diagnosed", ("sh aders/pipeline.toml", None), False),
        ("unexplained", ("sh aders/down.frag", 3), True),
        ("did_not_run", ("sh aders/down.frag", 2), False),
    ]
    assert results[0]["message"] == {
        "text": "Pass 'up 2' is wrong, and no known cause explains it. 1,984 of 16,384 elements are beyond their "
        "rounding bound, the worst 31.5 times."
    }


def test_a_place_in_no_file_of_the_authors_is_said_and_points_at_the_target() -> None:
    generated = dataclasses.replace(FINDING, shader="generated", line=12, made=None, repair=None)
    (result,) = of(dataclasses.replace(DOWN, findings=(generated,)))
    assert place_of(result) == ("sh aders/pipeline.toml", None)
    assert str(result["message"]).endswith("In generated:12, which is no file of its author's.\"}")


def test_rounding_is_a_note_and_a_result_that_changes_from_run_to_run_an_error() -> None:
    (rounding,) = of(dataclasses.replace(DOWN, verdict="precision", findings=(SECOND,)))
    assert rounding["level"] == "note"
    varies = Repeated("calm", "nondeterministic", 5, 3, 10, 0.5)
    (result,) = of(PassReport("calm", "Relu", (1,), "linear", "match"), repeated=(varies,))
    assert (result["ruleId"], result["level"]) == ("nondeterministic", "error")


def test_a_pass_that_could_not_run_is_told_by_the_run() -> None:
    report = summarise("net", DEVICE, (PassReport("a", "Foo", (1,), "linear", "not_run", message="No shader."),))
    text = sarif_of_report(report, FILES)
    assert results_of(text) == []
    (invocation,) = json.loads(text)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "Pass 'a' did not run. No shader."


def test_every_cause_makes_a_rule_with_help_and_odd_names_are_valid() -> None:
    names = [*all_causes(), "a plug-in's"]
    found = [dataclasses.replace(FINDING, cause=name) for name in names]
    of(dataclasses.replace(DOWN, name="a\x1b[31m<&>\ud800\uffff\n", findings=tuple(found)))
    text = sarif_of_report(summarise("n", DEVICE, (dataclasses.replace(DOWN, findings=tuple(found)),)), FILES)
    rules = json.loads(text)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == names
    assert all(rule["help"]["text"].strip() for rule in rules)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "}"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("line", [1, 2, 3])
@pytest.mark.parametrize("kind", ["change", "insert", "remove"])
def test_a_fix_makes_the_same_text_as_the_edit(kind: str, line: int, mark: str, last: str, end: str) -> None:
    lines = ["vec4 \U0001f600 a;", "  b;", "c;"]
    text = mark + end.join(lines) + (f"{end}{last}" if last else "" if line == 3 and kind == "remove" else end)
    before = None if kind == "insert" else lines[line - 1]
    edit = LineEdit("down.frag", line, before, None if kind == "remove" else "\U0001f600 new;")
    repair = Repair((edit,), "", 1, 1)
    files = dataclasses.replace(FILES, text_of={"down.frag": text}.get)
    repaired = dataclasses.replace(DOWN, findings=(dataclasses.replace(FINDING, repair=repair),))
    report = summarise("n", DEVICE, (repaired,))
    (result,) = results_of(sarif_of_report(report, files))
    (change,) = result["fixes"][0]["artifactChanges"]
    wanted = edited(text, (edit,))
    assert wanted is not None
    made = replaced(text, change["replacements"])
    assert made.startswith(mark), "a byte order mark stays in front"
    assert made.replace("\ufeff", "").rstrip() == wanted.replace("\ufeff", "").rstrip()


def test_a_repair_of_lines_that_have_changed_is_no_fix() -> None:
    files = dataclasses.replace(FILES, text_of={"down.frag": SHADER.replace("1.0", "2.0")}.get)
    (first, _) = results_of(sarif_of_report(summarise("n", DEVICE, (DOWN,)), files))
    assert "fixes" not in first


def test_of_two_runs_each_tensor_that_differs_is_a_result() -> None:
    def run(value: float) -> Run:
        values = np.full((2, 3), value, np.float32)
        return Run("net", "0", DEVICE, {}, {}, (), (HeldTensor("a", "a", "Conv", "float32", "float32", values),))

    (result,) = results_of(sarif_of_difference(difference(run(0), run(1)), FILES))
    assert result["ruleId"] == "differs"
    assert result["message"]["text"].startswith("Tensor 'a': 6 of 6 elements differ by more than ")
