"""A patch tried as a whole: all programs with all of its edits run once more, and are compared."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.repair.pipeline_file_repairs.tried import planned_with
from texelscope.pipeline.repair.text.patch import applied


def tried(session: DebugSession, comparer: Comparer, edits: Sequence[LineEdit]) -> Report:
    """The report of a run in which every program has the edits of its files. The session is as before afterwards.

    Edits of a pipeline file are planned as they would be read.
    A program that the driver does not take so is left as it was, and its pass as wrong.
    """
    before: dict[str, ProgramSource] = {}
    planned, as_edited = session.plan, planned_with(session.plan, edits)
    if as_edited is not None:
        session.adopt(as_edited)
        comparer = Comparer(session.plan)
    try:
        for each in session.plan.passes:
            source = session.program_source(each.name)
            changed = applied(source, edits)
            if changed.fragment == source.fragment:
                continue
            before[each.name] = source
            try:
                session.replace_program(each.name, changed)
            except ShaderError:
                del before[each.name]
        session.run()
        session.finish()
        return comparer.compare(session.capture())
    finally:
        for name, source in before.items():
            session.replace_program(name, source)
        if as_edited is not None:
            session.adopt(planned)
