"""Diagnoses a wrong pass: gathers evidence from GL, tests hypotheses in numpy, and returns findings.

`gather` (on the GL thread, in small steps) collects evidence about one pass; `explain` (numpy alone, in any thread)
turns it into a diagnosis. A cause is a row of the table in `causes/`; its generators in `hypotheses/` propose what the
shader may have done. A hypothesis counts only if the model slice, edited in that way, gives the wrong values within
rounding.
"""
