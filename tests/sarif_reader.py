"""Reads SARIF as a code review does: checks it by the published schema, and applies its fixes to files.

The schema is OASIS's, as https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas has it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema

from tests.checkout import ROOT

_SCHEMA = json.loads((ROOT / "tests" / "data" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def results_of(text: str) -> list[dict[str, Any]]:
    """Returns the results of the one run, after the schema and the rules that no schema can state have been checked."""
    log = json.loads(text)
    jsonschema.Draft4Validator(_SCHEMA).validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"].isprintable()
    return list(run["results"])


def place_of(result: Mapping[str, Any]) -> tuple[str, int | None]:
    """Returns the file, relative to the checkout, and the line of a result."""
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    assert physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
    return unquote(physical["artifactLocation"]["uri"]), physical.get("region", {}).get("startLine")


def apply_fix(root: Path, fix: Mapping[str, Any]) -> None:
    """Applies a fix to the files below `root`."""
    for change in fix["artifactChanges"]:
        path = root / unquote(change["artifactLocation"]["uri"])
        path.write_bytes(replaced(path.read_bytes().decode(), change["replacements"]).encode())


def replaced(text: str, replacements: list[Mapping[str, Any]]) -> str:
    """Returns a text with regions deleted and inserted, all of which are of the text as it was."""
    mark, starts = text.startswith("\ufeff"), [0]
    text = text.removeprefix("\ufeff")
    starts += [position + 1 for position, letter in enumerate(text) if letter == "\n"]
    spans = []
    for each in replacements:
        region = each["deletedRegion"]
        first, last = (starts[region[f"{end}Line"] - 1] + region[f"{end}Column"] - 1 for end in ("start", "end"))
        spans.append((first, last, each.get("insertedContent", {}).get("text", "")))
    for first, last, inserted in sorted(spans, key=lambda span: span[0], reverse=True):
        text = text[:first] + inserted + text[last:]
    return "\ufeff" * mark + text
