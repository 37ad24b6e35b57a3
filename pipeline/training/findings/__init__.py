"""What steps of training show of why a model does not learn, one module a cause, out of figures alone.

A module has `CAUSE`, its name in words, `LEAST_STEPS`, of fewer it says nothing, and `find(steps)`, which takes what
was seen of steps in a row and returns the findings, the clearest first.
"""
