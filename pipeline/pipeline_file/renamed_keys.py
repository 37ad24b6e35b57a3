"""Renames what a pass's shader declares in the pipeline file that binds it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from texelscope.pipeline.author_names.renaming import replaced
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.pipeline_file.bound_lines import KINDS, named_keys
from texelscope.pipeline.pipeline_file.expressions import FUNCTIONS
from texelscope.pipeline.untrusted_files.texts import toml_values

_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")


def renamed_keys(text: str, who: str, passes: Collection[str], old: str, new: str) -> tuple[tuple[int, int], ...]:
    """Returns where a pipeline file has a name of the shader of some passes, letters from one number to another.

    Raises UnsupportedError where the file writes it in a way that is not known, or may mean a tensor of that name.
    """
    values = toml_values(text, who)
    places = sorted(_places(text, passes, old))
    changed = replaced(text, places, new)
    wanted = _renamed(values, passes, old, new)
    if toml_values(changed, who) != wanted:
        got = "it written in another way"
        raise UnsupportedError(who, f"'{old}' as a key of its pass", got, "Rename it in this file first.")
    if wanted != values and old in _tensors(values) and changed.count(f"({old})") != text.count(f"({old})"):
        got = "a tensor and a sampler of that name"
        raise UnsupportedError(who, f"one meaning of '{old}'", got, "Rename it in this file first.")
    return tuple(places)


def _places(text: str, passes: Collection[str], old: str) -> Iterator[tuple[int, int]]:
    """Yields where keys are the name or begin with it and a dot, and where expressions of the passes have it."""
    keys = named_keys(text)
    named = re.compile(rf"\b(?:{'|'.join(FUNCTIONS)})\s*\(\s*(?:\\\")?(?P<name>{re.escape(old)})(?:\\\")?\s*\)")
    for number, key in enumerate(keys):
        if key.pass_name not in passes:
            continue
        if key.name == old or key.name.startswith((f"{old}.", f"{old}[")):
            yield key.start, key.start + len(old)
        line_end = text.find("\n", key.stop)
        is_last = number + 1 == len(keys) or keys[number + 1].line > key.line
        stop = keys[number + 1].start if not is_last else line_end if line_end >= 0 else len(text)
        for value in _QUOTED.finditer(text, key.stop, stop):
            yield from (match.span("name") for match in named.finditer(text, *value.span()))


def _renamed(values: Mapping[str, Any], passes: Collection[str], old: str, new: str) -> dict[str, Any]:
    """Returns the file's values as they should be then."""
    entries = values.get("pass", [])
    if not isinstance(entries, list):
        return dict(values)
    made = [
        _renamed_pass(each, old, new) if isinstance(each, dict) and each.get("name") in passes else each
        for each in entries
    ]
    return {**values, "pass": made} if "pass" in values else dict(values)


def _renamed_pass(entry: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    def key(name: str) -> str:
        return new + name[len(old) :] if name == old or name.startswith((f"{old}.", f"{old}[")) else name

    def value(given: Any) -> Any:
        if isinstance(given, str):
            functions = "|".join(FUNCTIONS)
            pattern = rf"(\b(?:{functions})\s*\(\s*\"?){re.escape(old)}(\"?\s*\))"
            return re.sub(pattern, lambda match: f"{match[1]}{new}{match[2]}", given)
        if isinstance(given, list):
            return [value(each) for each in given]
        return {name: value(each) for name, each in given.items()} if isinstance(given, dict) else given

    return {
        kind: {key(name): value(each) for name, each in held.items()}
        if kind in KINDS and isinstance(held, dict)
        else held
        for kind, held in entry.items()
    }


def _tensors(values: Mapping[str, Any]) -> set[str]:
    """Returns the names of tensors that the file gives."""
    tables = (each for kind in ("input", "constant", "pass") for each in values.get(kind, []) if isinstance(each, dict))
    return {str(each.get("name")) for each in tables}
