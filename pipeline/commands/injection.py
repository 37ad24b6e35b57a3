"""Going on after what cannot run: the oracle's value in its place, so that the passes after it can."""

from __future__ import annotations

from pipeline.compare.comparer import Comparer
from pipeline.gl.session import Session


def inject_missing(session: Session, comparer: Comparer) -> tuple[str, ...]:
    """Puts the oracle's value in place of everything that the plan cannot run, and runs what follows.

    Call after a run. Returns the names of what was injected; a layer is left out if its shape is not known before the
    run, or if the oracle cannot evaluate its operator either.
    """
    plan = session.plan
    inputs = {plan.textures[key].tensor: session.tensor(key) for key in plan.inputs if session.is_valid(key)}
    expected = comparer.expected(inputs)
    done = []
    for missing in plan.not_run:
        (key,) = missing.outputs
        if key in plan.textures and key in expected:
            session.inject(key, expected[key].value)
            done.append(missing.name)
    for each in plan.passes:
        if not session.has_run(each.name):
            session.run_pass(each.name)
    return tuple(done)
