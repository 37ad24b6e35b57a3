"""Whether the functions of an oracle file ask for what their passes have; nothing of the file runs here."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.errors import nearest
from texelscope.pipeline.oracle.function_oracle import argument_names
from texelscope.pipeline.pipeline_file.oracle_functions import functions_in
from texelscope.pipeline.pipeline_file.problems import Problems
from texelscope.pipeline.plan import Plan


def check_functions(plan: Plan, titles: Mapping[str, str], problems: Problems) -> None:
    """Notes parameters without default that no texture or uniform of the pass is called by."""
    file = plan.oracle_file
    assert file is not None
    known = functions_in(file.text, file.path)
    for each in plan.passes:
        offered = argument_names(plan, each)
        for key in each.outputs:
            function = known.get(file.functions.get(key, ""))
            for parameter in (function.required or ()) if function is not None else ():
                if parameter not in offered:
                    assert function is not None
                    problems.add(
                        titles[each.name],
                        "oracle",
                        f"parameters of {function.name}() ({file.path}:{function.line}) called as the pass's tensors",
                        f"'{parameter}'",
                        nearest(parameter, offered),
                    )
