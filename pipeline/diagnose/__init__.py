"""Diagnoses a wrong pass: gathers evidence from GL, tests hypotheses in numpy, and returns findings.

`gather` (on the GL thread, in small steps) collects evidence about one pass; `explain` (numpy alone, in any thread)
turns it into a diagnosis. A rule in `rules/` covers one cause: it proposes what the shader may have done, and its
hypothesis counts only if the model slice, edited in that way, gives the wrong values within rounding.
"""
