"""What an issue tells of findings and repairs."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding, PassReport, summarise
from texelscope.pipeline.device import Device
from texelscope.pipeline.reduce.issue_text import IssueFacts, issue_text


def test_a_repair_stands_in_an_issue_as_a_diff_with_what_it_was_tried_on() -> None:
    repair = Repair((LineEdit("a.frag", 1, "x", "y"),), "--- a/a.frag\n+++ b/a.frag\n@@ -1 +1 @@\n-x\n+y\n", 9, 4)
    finding = Finding("shift", {}, 1.0, 0.0, "a.frag", 1, "It reads left.", "Do not.", sure=True, repair=repair)
    found = PassReport("a", "Conv", (3, 3), "linear", "mismatch", findings=(finding,), repairs=(repair,))
    values = np.zeros((3, 3))
    report = summarise("net", Device("driver", "4.5"), (found,))
    text = issue_text(IssueFacts("net", report, values, values, values > 0, (), "", ()))
    assert "**shift** explains 100.0%, `a.frag:1` (sure): It reads left" in text
    assert (
        "## Written otherwise it matches\n\nWith this all 9 elements match, on 4 inputs:\n\n```diff\n--- a/a.frag"
        in text
    )
    assert text.count("```diff") == 1
