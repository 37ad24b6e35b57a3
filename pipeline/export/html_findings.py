"""Findings of the page: causes, how sure they are, and their repairs as coloured diffs."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.layouts.outside_text import in_html
from texelscope.pipeline.compare.repair_words import other_repairs, repairs_of, surety_words, tried_words
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding, PassReport
from texelscope.pipeline.compare.words import cause_words, detail_words

# What a line of a diff is, by how it begins; headers first, whose beginnings begin as lines do.
_KINDS = (("---", "head"), ("+++", "head"), ("@@", "head"), ("-", "gone"), ("+", "new"))


def findings_of(each: PassReport) -> str:
    """All findings of a pass with their repairs, then the repairs that no finding has."""
    parts = [_finding(found, repairs_of(found, each.repairs)) for found in each.findings]
    others = other_repairs(each.findings, each.repairs)
    parts += [f'<div class="finding">{_repairs(others)}</div>'] if others else []
    return "\n".join(parts)


def _finding(found: Finding, repairs: Sequence[Repair]) -> str:
    share = max(0.0, min(found.explained, 1.0))
    surety = surety_words(found)
    return (
        f'<div class="finding"><p><strong>{in_html(cause_words(found))}</strong> '
        f'<span class="soft">{in_html(detail_words(found))}</span> '
        f'<span class="share" aria-hidden="true"><span style="width:{share:.1%}"></span></span> '
        f"explains {share:.1%} of the wrong elements{f'; {in_html(surety)}' if surety else ''}</p>"
        f"<p><code>{in_html(found.place)}</code></p>"
        f"<p>{in_html(found.evidence)}</p><p>→ {in_html(found.remedy)}</p>{_repairs(repairs)}</div>"
    )


def _repairs(repairs: Sequence[Repair]) -> str:
    return "".join(
        f"<p>{'Or' if number else 'Written otherwise'}: {in_html(tried_words(repair))}</p>{_diff(repair.diff)}"
        for number, repair in enumerate(repairs)
    )


def _diff(text: str) -> str:
    lines = "".join(f'<span class="{_kind(line)}">{in_html(line)}</span>\n' for line in text.splitlines())
    return f'<pre class="diff">{lines}</pre>'


def _kind(line: str) -> str:
    return next((kind for beginning, kind in _KINDS if line.startswith(beginning)), "kept")
