"""What stands at one place of a program in which an edit is chosen by its number, with few conditions in one another.

Mesa's drivers on the processor take eighty of them in one another, and work out wrong without a word what has more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from texelscope.pipeline.repair.words.mutation import NUMBER

# Functions of the program: whether an edit is chosen, whether one of some is, and the numbers of one.
IS, AMONG, NUMBER_OF = "texelscope_is", "texelscope_among", "texelscope_number"


def opened(templates: Mapping[int, str], every: Iterable[int], *, is_statement: bool) -> str:
    """What stands before a place at which one of `templates` may be chosen, by their numbers; see `closed`.

    `every` number of the program that is none of these tells apart what is asked for at once.
    """
    form = "if ({0}) {{ {1} }} else {{ " if is_statement else "({0} ? {1} : "
    return "".join(
        form.format(_asked(run), _one_of(run, templates, is_statement=is_statement)) for run in _runs(templates, every)
    )


def closed(templates: Mapping[int, str], every: Iterable[int], *, is_statement: bool) -> str:
    """What stands behind it."""
    return (" }" if is_statement else ")") * len(_runs(templates, every))


def _runs(templates: Mapping[int, str], every: Iterable[int]) -> list[list[int]]:
    """The numbers in order, cut where there are others between."""
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
    """Of some numbers one of which is chosen, halved again and again."""
    if len(numbers) == 1:
        return _numbered(templates[numbers[0]], numbers[0])
    halves = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
    first, second = (_one_of(half, templates, is_statement=is_statement) for half in halves)
    asked = _asked(halves[0])
    return f"if ({asked}) {{ {first} }} else {{ {second} }}" if is_statement else f"({asked} ? {first} : {second})"


def _numbered(template: str, number: int) -> str:
    """Its numbers by their places: `.x` is something else where a macro has a parameter of that name."""
    of_edit = f"{NUMBER_OF}({number})"
    for lanes, places in ((".xy", ""), (".x", "[0]"), (".y", "[1]")):
        template = template.replace(f"{NUMBER}{lanes}", f"{of_edit}{places}")
    return template.replace(NUMBER, of_edit)
