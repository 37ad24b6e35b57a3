"""Writes the text that selects a mutant by its number at one place, with few nested conditions.

Mesa's software drivers accept eighty nested conditions, and silently compute wrong values with more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from texelscope.pipeline.repair.words.mutation import NUMBER

# Functions of the schema: whether a mutation is chosen, whether one of several is, and the numbers of one.
IS, AMONG, NUMBER_OF = "texelscope_is", "texelscope_among", "texelscope_number"


def opened(templates: Mapping[int, str], every: Iterable[int], *, is_statement: bool) -> str:
    """Returns the text before a place at which one of `templates`, by their numbers, may be chosen; see `closed`.

    `every` lists all numbers of the schema; numbers between those of the place split a range test.
    """
    form = "if ({0}) {{ {1} }} else {{ " if is_statement else "({0} ? {1} : "
    return "".join(
        form.format(_asked(run), _one_of(run, templates, is_statement=is_statement)) for run in _runs(templates, every)
    )


def closed(templates: Mapping[int, str], every: Iterable[int], *, is_statement: bool) -> str:
    """Returns the text after it."""
    return (" }" if is_statement else ")") * len(_runs(templates, every))


def _runs(templates: Mapping[int, str], every: Iterable[int]) -> list[list[int]]:
    """Returns the numbers in order, split where others lie between."""
    runs: list[list[int]] = []
    is_open = False
    for number in sorted({*every, *templates}):
        if number not in templates:
            is_open = False
        elif is_open:
            runs[-1].append(number)
        else:
            runs.append([number])
            is_open = True
    return runs


def _asked(numbers: list[int]) -> str:
    return f"{IS}({numbers[0]})" if len(numbers) == 1 else f"{AMONG}({numbers[0]}, {numbers[-1]})"


def _one_of(numbers: list[int], templates: Mapping[int, str], *, is_statement: bool) -> str:
    """Selects one of some numbers by repeated halving."""
    if len(numbers) == 1:
        return _numbered(templates[numbers[0]], numbers[0])
    single_fault_outputs = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
    first, second = (_one_of(half, templates, is_statement=is_statement) for half in single_fault_outputs)
    asked = _asked(single_fault_outputs[0])
    return f"if ({asked}) {{ {first} }} else {{ {second} }}" if is_statement else f"({asked} ? {first} : {second})"


def _numbered(template: str, number: int) -> str:
    """Writes its numbers as indices: `.x` would mean something else if a macro has a parameter of that name."""
    of_edit = f"{NUMBER_OF}({number})"
    for lanes, places in ((".xy", ""), (".x", "[0]"), (".y", "[1]")):
        template = template.replace(f"{NUMBER}{lanes}", f"{of_edit}{places}")
    return template.replace(NUMBER, of_edit)
