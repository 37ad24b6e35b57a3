"""Every operator of the catalogue makes the mutants that its examples show, and one more is one more class."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import ModuleType

import pytest

from tests.checkout import ROOT
from tests.plugin_folders import added_to, package_maker
from tests.pure.repair.only_operator import alone, mutants, shaders, squeezed
from tests.pure.source_tree import text_of
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.repair.operators import catalogue
from texelscope.pipeline.repair.operators.catalogue import registry
from texelscope.pipeline.repair.operators.operator import MutationOperator, TrialStage

MADE = '''
from texelscope.pipeline.repair.operators.operator import ExpressionOperator
class Doubled(ExpressionOperator, types="float"):
    """A value is too small by half: `x` becomes `x + x`."""
    def mutants(self, at):
        yield f"{at.text} + {at.text}"
'''


@pytest.mark.parametrize("operator", registry.all_operators().operators, ids=lambda operator: operator.name())
def test_an_operator_makes_the_mutants_of_its_examples(operator: MutationOperator) -> None:
    assert operator.examples()
    for before, after in operator.examples():
        with alone(operator):
            pairs = list(zip(shaders(before), shaders(after), strict=True))
            assert any(squeezed(right) in mutants(wrong) for wrong, right in pairs), f"{before} -> {after}"


def test_an_operator_that_is_added_as_one_class_is_tried(tmp_path: Path) -> None:
    wrong, right = (next(iter(shaders(text))) for text in ("z = exp(x);", "z = exp(x) + exp(x);"))
    assert squeezed(right) not in mutants(wrong)
    registry.all_operators.cache_clear()
    with added_to(catalogue, tmp_path / "more", {"doubled": MADE}):
        assert registry.all_operators().operators[-1].name() == "doubled"
        assert squeezed(right) in mutants(wrong)
    registry.all_operators.cache_clear()
    assert squeezed(right) not in mutants(wrong)


def test_operators_come_stage_by_stage() -> None:
    stages = [list(TrialStage).index(each.stage) for each in registry.all_operators().operators]
    assert stages == sorted(stages)
    assert len(stages) > 90


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MADE.replace(": `x` becomes `x + x`", ""), "with an example"),
        (MADE.replace('types="float"', 'types="float", stage="first"'), "a stage"),
        ("", "a subclass of MutationOperator"),
    ],
)
def test_a_bad_operator_is_an_error_that_names_its_file(
    text: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package: ModuleType = package_maker(tmp_path, monkeypatch)({"bad": text})
    with pytest.raises(TexelscopeError, match=rf"bad\.py: expected .*{expected}"):
        registry.discover(package)


def test_the_page_of_operators_is_what_its_generator_writes() -> None:
    written = runpy.run_path(str(ROOT / "docs" / "make_repair_operators.py"))["page"]()
    advice = "'python docs/make_repair_operators.py' writes the page anew"
    assert text_of(Path("docs/operators-of-repair.md")) == written, advice
