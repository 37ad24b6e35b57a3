"""Says of a name in a shader what an editor shows beside it: type, tensor and layout, values at one texel."""

from __future__ import annotations

from pathlib import Path

from texelscope.language_server.opened import EditedTarget, PickedTexel
from texelscope.layouts.outside_text import one_line
from texelscope.pipeline.author_names.declarations import names_in
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.plan import Pass, StoredTensor
from texelscope.pipeline.stepping.index import TraceIndex, VariableValue
from texelscope.pipeline.stepping.numbers import exact_text
from texelscope.pipeline.stepping.scopes import declared_in

# Of so many runs of a line all values are shown, of more the first ones and the last.
_MOST_VALUES = 6


def facts(opened: EditedTarget, each: Pass, name: str) -> list[str]:
    """Returns lines on a sampler, image, buffer or uniform of a pass; none for any other name."""
    session = opened.session
    assert session is not None
    lines = []
    for sampler in each.readers:
        if sampler.uniform == name:
            stored = session.plan.textures[sampler.key]
            lines.append(f"`{name}` reads {_tensor(stored)}, {sampler.filter}, {sampler.wrap.replace('_', ' ')}")
    if name in each.uniforms:
        value = each.uniforms[name]
        lines.append(f"`{name}` = {one_line(str(value))[:200]}, a uniform of pass '{each.name}'")
    entry = next(
        (
            one
            for one in (session.plan.entries.passes if isinstance(session.plan, FilePlan) else ())
            if one.name == each.name
        ),
        None,
    )
    if entry is not None and name in entry.defines:
        lines.append(f"`{name}` = {one_line(str(entry.defines[name]))[:200]}, defined for pass '{each.name}'")
    return lines


def values(opened: EditedTarget, each: Pass, picked: PickedTexel, name: str, place: tuple[Path, int]) -> list[str]:
    """Returns lines on what a variable has at a texel behind a line (from 1) of a file."""
    index = opened.trace(picked)
    path, line = place
    folder = opened.path.parent
    file = next((one.path for one in each.program.files if (folder / one.path).resolve() == path), "")
    found = _after(index, name, (file, line))
    if found:
        return [*_said(name, found, line), _where(opened, each, index, picked)]
    last = index.variable(name, index.end)
    if last is None:
        known = (one for key in index.histories() for one in key if one.name == name)
        last = max(known, key=lambda one: one.begun, default=None)
    if last is None:
        return []
    ran = "which this texel does not run" if not index.lines_of(file).get(line) else "where it has no value yet"
    said = f"`{name}` is {_value(last)} at the end; line {line}, {ran}."
    return [said, _where(opened, each, index, picked)]


def type_of(text: str, name: str, line: int) -> str:
    """Returns the type with which GLSL declares a name that is seen on a line; empty for an unknown one."""
    seen = [each for each in declared_in(text) if each.name == name and each.first <= line <= each.last]
    return max(seen, key=lambda each: each.first).type if seen else ""


def hover_text(
    opened: EditedTarget, picked: PickedTexel | None, name: str, place: tuple[Path, int], text: str, *, records: bool
) -> str:
    """Returns Markdown on a name of a file; empty where nothing is known. Without `records` no values of variables."""
    lines: list[str] = []
    passes = opened.passes_of(place[0])
    each = next((one for one in passes if picked is not None and one.name == picked.pass_name), None)
    each = each or next((one for one in passes if _is_wrong(opened, one)), passes[0] if passes else None)
    kind = type_of(text, name, place[1])
    shown = f"{kind} {name}" if kind else _written(text, name)
    if shown:
        lines.append(f"```glsl\n{shown}\n```")
    if each is not None:
        own = facts(opened, each, name)
        lines += own
        if not own and records:
            try:
                lines += values(opened, each, opened.picked_for(each, picked), name, place)
            except TexelscopeError as error:
                lines.append(f"No values: {one_line(str(error))}")
        elif not own and kind:
            lines.append("Values follow when the diagnosis has ended.")
    return "\n\n".join(lines)


def _written(text: str, name: str) -> str:
    """Returns how a text defines a macro, or declares a member of a structure or block; empty where it does neither."""
    names = names_in(text)
    declared = [each for each in names.outermost.names.get(name, ()) if each.kind in ("macro", "function", "type")]
    found = [*declared, *(each for each in names.members if each.name == name)]
    lines = [_line_around(text, each.start) for each in found]
    return "\n".join(dict.fromkeys(lines))


def _line_around(text: str, letter: int) -> str:
    start, stop = text.rfind("\n", 0, letter) + 1, text.find("\n", letter)
    return text[start : stop if stop >= 0 else len(text)].strip().removesuffix("{").rstrip()


def _is_wrong(opened: EditedTarget, each: Pass) -> bool:
    report = opened.report
    return report is not None and report.culprit == each.name


def _tensor(stored: StoredTensor) -> str:
    height, width = stored.texture_shape
    shape = ", ".join(map(str, stored.shape))
    return (
        f"tensor '{stored.tensor}' [{shape}] in `{stored.layout.name}`: {width} x {height} texels of {stored.storage}"
    )


def _after(index: TraceIndex, name: str, line: tuple[str, int]) -> list[VariableValue]:
    """Returns what a variable has behind each run of a line, in order."""
    found = []
    for step in index.steps:
        if step.line == line:
            values = index.variables(step.number + 1, step.call)
            found += [each for each in values if each.name == name][:1]
    return found


def _said(name: str, found: list[VariableValue], line: int) -> list[str]:
    shown = [_value(each) for each in found]
    if len(shown) == 1:
        return [f"`{name}` = {shown[0]} behind line {line}"]
    if len(shown) > _MOST_VALUES:
        shown = [*shown[: _MOST_VALUES - 1], "…", shown[-1]]
    return [f"`{name}` behind line {line}, in {len(found)} runs: {', '.join(shown)}"]


def _value(each: VariableValue) -> str:
    return exact_text(each.type, each.value)


def _where(opened: EditedTarget, each: Pass, index: TraceIndex, picked: PickedTexel) -> str:
    assert opened.session is not None
    stored = opened.session.plan.textures[each.output]
    element = index.trace.element
    at = f"texel {picked.texel[0]},{picked.texel[1]} of pass '{each.name}'"
    if element is None:
        return f"{at} (padding)"
    return f"{at}, element {element} of '{stored.tensor}'"
