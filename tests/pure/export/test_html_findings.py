"""Findings on the page: whatever a shader's lines hold, they are text in it."""

from __future__ import annotations

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding, PassReport
from texelscope.pipeline.export.html_report import findings_of

DIFF = "--- a/a.frag\n+++ b/a.frag\n@@ -1 +1 @@\n-if (x < 1 && y)\n+<script>\n kept\n"
REPAIR = Repair((LineEdit("a.frag", 1, "if (x < 1 && y)", "<script>"),), DIFF, 9, 4)


def test_a_repair_is_a_coloured_diff_beside_its_finding_or_alone() -> None:
    finding = Finding("shift", {}, 1.0, 0.0, "a.frag", 44, "e", "r", one_of=("stride",), repair=REPAIR)
    page = findings_of(PassReport("a", "Conv", (1,), "linear", "mismatch", findings=(finding,), repairs=(REPAIR,)))
    assert "of the wrong elements; one of: shift, stride</p>" in page
    assert "<p>Written otherwise: all 9 elements match, on 4 inputs</p>" in page
    assert '<span class="gone">-if (x &lt; 1 &amp;&amp; y)</span>' in page
    assert '<span class="new">+&lt;script&gt;</span>' in page
    assert '<span class="head">+++ b/a.frag</span>' in page
    assert page.count("<pre") == 1
    alone = findings_of(PassReport("a", "Conv", (1,), "linear", "mismatch", repairs=(REPAIR,)))
    assert alone.count("<pre") == 1
