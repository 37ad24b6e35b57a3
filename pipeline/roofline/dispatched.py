"""Which passes a session runs as dispatches, in compute: they have other limits than draws."""

from __future__ import annotations

from texelscope.pipeline.gl.session import Session


def dispatched(session: Session) -> frozenset[str]:
    """Names of the passes that are dispatched, by themselves or by their form."""
    own = {each.name for each in session.plan.passes if each.dispatch is not None}
    forms = {each.name: session.form(each.name) for each in session.plan.passes}
    return frozenset(own) | {
        name for name, form in forms.items() if form is not None and any(step.kind == "compute" for step in form.steps)
    }
