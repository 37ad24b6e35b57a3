"""Names the bug behind a wrong pass: evidence from GL, hypotheses redone in numpy, findings.

`gather` (on the GL thread, in small steps) collects evidence about one pass; `explain` (numpy alone, in any
thread) turns it into a diagnosis. A rule in `rules/` stands for one cause: it proposes what the shader may have
done, and its proposal counts only if the oracle, redone in that way, gives the wrong values within rounding.
"""
