"""Writes values of passes into the text of a pipeline file; every other letter of the text stays as it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from texelscope.pipeline.draft.fields import typed_value
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.pipeline_file.uniform_members import key_of
from texelscope.pipeline.pipeline_values.value_names import TABLES, ValueName, value_name
from texelscope.pipeline.pipeline_values.value_spans import Span, ValuePath, ValueSpans, value_spans
from texelscope.pipeline.toml_text import value_text
from texelscope.pipeline.untrusted_files.texts import toml_values


def with_values(text: str, values: Mapping[str, str], who: str) -> str:
    """Returns a pipeline file's text with other values of its passes, each by `PASS.TABLE.NAME`.

    A value is TOML, or else a plain word or expression. Of an array with as many numbers as before only the numbers
    that differ are written. A value that the file lacks gets a line behind the others of its table. `who` names the
    file in messages. Raises TexelscopeError for a name that is no value of a pass, for a text that is no TOML, and for
    a number that is not finite.
    """
    for name, typed in values.items():
        text = _with_value(text, name, typed, who)
    return text


def _with_value(text: str, name: str, typed: str, who: str) -> str:
    data = toml_values(text, who)
    passes = data.get("pass", [])
    passes = passes if isinstance(passes, list) else []
    names = [each.get("name") if isinstance(each, dict) else None for each in passes]
    wanted = value_name(name, [each for each in names if isinstance(each, str)])
    value = typed_value(typed)
    _check_finite(value, name)
    spans, number = value_spans(text), names.index(wanted.of_pass)
    path = _path_of(passes[number], ("pass", number), wanted)
    if path is not None and path in spans.spans:
        return _replaced(text, spans, path, value, typed)
    return _added(text, spans, number, wanted, _written(value, typed), who)


def _check_finite(value: Any, name: str) -> None:
    if any(isinstance(each, float) and not math.isfinite(each) for each in _leaves(value)):
        raise TexelscopeError(name, "finite numbers", str(value), "Type a number such as 0.5 or 1e-3.")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _path_of(table: Mapping[str, Any], start: ValuePath, wanted: ValueName) -> ValuePath | None:
    """Returns the path of a value that the file has; None for one that it lacks."""
    own = table.get(wanted.table)
    if not isinstance(own, dict):
        return None
    found = dict(_named(own, "", (*start, wanted.table)))
    path = found.get(wanted.name)
    if path is not None:
        return path
    # Names of other languages that mean something in GLSL are changed there.
    return next((each for name, each in found.items() if _safe(name) == wanted.name), None)


def _safe(name: str) -> str:
    return ".".join(map(safe_name, name.split(".")))


def _named(value: Any, name: str, path: ValuePath) -> Iterator[tuple[str, ValuePath]]:
    """Yields the values of a table by the names of GLSL: `a.b`, `a[0].b`; a table with a tensor is a value itself."""
    if isinstance(value, dict) and not (name and isinstance(value.get("tensor"), str)):
        for key, each in value.items():
            yield from _named(each, f"{name}.{key}" if name else key, (*path, key))
    elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        for place, each in enumerate(value):
            yield from _named(each, f"{name}[{place}]", (*path, place))
    else:
        yield name, path


def _replaced(text: str, spans: ValueSpans, path: ValuePath, value: Any, typed: str) -> str:
    """Returns the text with another value: number by number where it has as many as before, else as a whole."""
    inside = [each for each in spans.spans if each[: len(path)] == path and len(each) > len(path)]
    arrays = {each[:-1] for each in inside}
    numbers = [each for each in inside if each not in arrays]
    leaves = list(_leaves(value))
    if isinstance(value, list) and len(numbers) == len(leaves) and all(map(_is_number, leaves)):
        edits = [(spans.spans[each], leaf) for each, leaf in zip(numbers, leaves, strict=True)]
        for span, leaf in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
            if _differs(typed_value(text[span.start : span.stop]), leaf):
                text = _put(text, span, value_text(leaf))
        return text
    return _put(text, spans.spans[path], _written(value, typed))


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _differs(was: Any, now: Any) -> bool:
    return was != now or isinstance(was, bool) != isinstance(now, bool)


def _put(text: str, span: Span, written: str) -> str:
    return f"{text[: span.start]}{written}{text[span.stop :]}"


def _written(value: Any, typed: str) -> str:
    """Returns a value as TOML: numbers as they were typed, other values as the program writes them."""
    return typed.strip() if _is_number(value) else value_text(value)


def _added(text: str, spans: ValueSpans, number: int, wanted: ValueName, written: str, who: str) -> str:
    """Returns the text with another line, or with another entry of an inline table; the first that is valid TOML."""
    problem: TexelscopeError | None = None
    for name in dict.fromkeys((key_of(wanted.name, "")[1:], value_text(wanted.name))):
        made = _with_entry(text, spans, ("pass", number), wanted.table, f"{name} = {written}")
        try:
            toml_values(made, who)
        except TexelscopeError as error:
            problem = error
        else:
            return made
    assert problem is not None
    raise problem


def _with_entry(text: str, spans: ValueSpans, own: ValuePath, table: str, entry: str) -> str:
    inside = (*own, table)
    if inside in spans.inline:
        return _with_inner(text, spans.inline[inside], entry)
    if inside in spans.ends:
        return _with_line(text, spans.ends[inside], entry)
    last = max(
        (span.stop for path, span in spans.spans.items() if path[: len(inside)] == inside), default=spans.ends[own]
    )
    return _with_line(text, last, f"{table}.{entry}")


def _with_inner(text: str, span: Span, entry: str) -> str:
    """Returns the text with another entry at the end of an inline table."""
    held = text[span.start + 1 : span.stop - 1].rstrip()
    ending = text[span.start + 1 + len(held) : span.stop]
    before = f"{held}, " if held.strip() else " "
    return f"{text[: span.start + 1]}{before}{entry}{ending if held.strip() else ' }'}{text[span.stop :]}"


def _with_line(text: str, last: int, entry: str) -> str:
    """Returns the text with a line behind the one in which the letter `last` stands, indented alike."""
    start = text.rfind("\n", 0, last) + 1
    line = text[start:last]
    indent = line[: len(line) - len(line.lstrip())] if not line.lstrip().startswith("[") else ""
    stop = text.find("\n", last)
    stop = len(text) if stop < 0 else stop
    ends_in_return = text[:stop].endswith("\r")
    line_end = "\r\n" if ends_in_return else "\n"
    stop -= ends_in_return
    return f"{text[:stop]}{line_end}{indent}{entry}{text[stop:]}"


def texts_of_values(text: str, names: Iterable[str], who: str) -> dict[str, str | None]:
    """Returns by name how a pipeline file writes values of its passes; None for those that it lacks.

    Raises TexelscopeError for a name that is no value of a pass.
    """
    passes = toml_values(text, who).get("pass", [])
    spans, found = value_spans(text), dict[str, str | None]()
    titles = [each.get("name", "") for each in passes]
    for name in names:
        wanted = value_name(name, titles)
        number = titles.index(wanted.of_pass)
        path = _path_of(passes[number], ("pass", number), wanted)
        span = spans.spans.get(path) if path is not None else None
        found[name] = text[span.start : span.stop] if span is not None else None
    return found


def values_between(before: str, after: str, who: str) -> dict[str, str] | None:
    """Returns the values of passes, by `PASS.TABLE.NAME`, that make one text of a pipeline file say what another does.

    None if the texts differ in anything else, or the other one lacks a value.
    """
    old, new = toml_values(before, who), toml_values(after, who)
    if _without_values(old) != _without_values(new):
        return None
    spans, found = value_spans(after), dict[str, str]()
    for number, (was, now) in enumerate(zip(old.get("pass", ()), new.get("pass", ()), strict=True)):
        for table in TABLES:
            mine, other = (dict(_named(each.get(table, {}), "", ("pass", number, table))) for each in (was, now))
            if mine.keys() - other.keys():
                return None
            for name, path in other.items():
                if name not in mine or _at(old, mine[name]) != _at(new, path):
                    span = spans.spans[path]
                    found[ValueName(now["name"], table, name).text] = after[span.start : span.stop]
    return found


def _without_values(data: Mapping[str, Any]) -> dict[str, Any]:
    passes = [{key: each[key] for key in each if key not in TABLES} for each in data.get("pass", ())]
    return {**data, "pass": passes}


def _at(data: Any, path: ValuePath) -> Any:
    for key in path:
        data = data[key]
    return data
