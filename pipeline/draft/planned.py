"""Plans the draft of one shader without writing it."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftRequest, drafted
from texelscope.pipeline.draft.writing import declared_in
from texelscope.pipeline.importers.planned_file import plan_file
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


def planned_draft(shader: Path, options: OpenOptions) -> Plan:
    """Returns the plan of a shader's draft, in which what has to be asked is left out: such a uniform is 0.

    Shapes of the options are those of inputs and of passes. Raises TexelscopeError for a text that cannot be read.
    """
    declared = declared_in([shader])
    names = {each.name for each in declared}
    outputs = {name: shape for name, shape in options.shapes.items() if name in names}
    shapes = {name: shape for name, shape in options.shapes.items() if name not in names}
    draft = drafted(declared, None, DraftRequest(outputs, shapes))
    return plan_file(shader, options, text=document(draft.without_asked(), [shader.name]))
