"""What SPIRV-Cross takes apart reads as its author wrote it, and nothing else is changed."""

from __future__ import annotations

import pytest

from texelscope.pipeline.front_ends.spirv_text import as_written


def body_of(statements: str, before: str = "") -> str:
    """Returns the statements of a main as an author might have written them."""
    rows = ["#version 450", *before.split("\n"), "", "void main()", "{", *statements.strip("\n").split("\n"), "}"]
    made = [row.text for row in as_written("\n".join(rows) + "\n", "compute")]
    return "\n".join(made[made.index("void main()") + 2 : -1])


@pytest.mark.parametrize(
    ("taken_apart", "written"),
    [
        (
            """
    bool _3 = x >= p.w;
    bool _4;
    if (!_3)
    {
        _4 = y >= p.h;
    }
    else
    {
        _4 = _3;
    }
    if (_4)
    {
        return;
    }
""",
            """
    if ((x >= p.w) || (y >= p.h))
    {
        return;
    }
""",
        ),
        (
            """
    bool _3;
    float _4;
    if (x < n)
    {
        _3 = y < m;
    }
    else
    {
        _3 = false;
    }
    if (_3)
    {
        _4 = a[x];
    }
    else
    {
        _4 = 0.0;
    }
    tile[x] = _4;
""",
            """
    tile[x] = ((x < n) && (y < m)) ? a[x] : 0.0;
""",
        ),
        (
            """
    uint i = 0u;
    for (;;)
    {
        if (!(i < n))
        {
            break;
        }
        uint _9 = i;
        i++;
        sum += a[_9];
        continue;
    }
""",
            """
    for (uint i = 0u; i < n; i++)
    {
        sum += a[i];
    }
""",
        ),
        (
            """
    float sum = 0.0;
    uint i = 0u;
    for (;;)
    {
        float sum_1;
        bool _37_ladder_break = false;
        do
        {
            if (!(i < 8u))
            {
                _37_ladder_break = true;
                break;
            }
            sum_1 = sum + a[i];
            break;
        } while(false);
        if (_37_ladder_break)
        {
            break;
        }
        i++;
        sum = sum_1;
        continue;
    }
""",
            """
    float sum = 0.0;
    for (uint i = 0u; i < 8u; i++)
    {
        sum = sum + a[i];
    }
""",
        ),
        (
            """
    float _7;
    _7 = 0.0;
    float _9;
    for (int _5 = 0; _5 < n; _7 = _9, _5++)
    {
        _9 = _7;
        for (int _6 = 0; _6 < m; )
        {
            _9 = fma(a[_5], b[_6], _9);
            _6++;
            continue;
        }
    }
    y[0] = _7;
""",
            """
    float _7 = 0.0;
    for (int _5 = 0; _5 < n; _5++)
    {
        for (int _6 = 0; _6 < m; _6++)
        {
            _7 = fma(a[_5], b[_6], _7);
        }
    }
    y[0] = _7;
""",
        ),
        (
            """
    do
    {
        if (x >= n)
        {
            break;
        }
        y[x] = 0.100000001490116119384765625;
        break;
    } while(false);
""",
            """
    if (x >= n)
    {
        return;
    }
    y[x] = 0.1;
""",
        ),
    ],
    ids=["or", "choices", "head", "ladder", "handed_on", "return"],
)
def test_it_is_put_together(taken_apart: str, written: str) -> None:
    assert body_of(taken_apart) == written.strip("\n")


@pytest.mark.parametrize(
    ("kept", "before"),
    [
        # The value of before the barrier is meant.
        ("    float _3 = tile[0];\n    barrier();\n    y[0] = _3;", "shared float tile[2];"),
        # Others see a shared variable: what is set late may not be set early.
        ("    float t = x[0];\n    barrier();\n    whole = t;", "shared float whole;"),
        # A function may do more than return a value, and a condition of a loop is evaluated again.
        ("    float _3 = next();\n    y[0] = other() + _3;", "float next()\n{\n    return 1.0;\n}"),
        ("    bool _3 = x[0] > 1.0;\n    while (_3)\n    {\n        x[0] = 0.0;\n    }", ""),
        # A parameter that is handed back has to be a variable.
        ("    float param = 1.0;\n    set(param);\n    y[0] = 2.0;", "void set(inout float v)\n{\n    v = 2.0;\n}"),
        # What is denied is a part of the condition.
        (
            "    for (;;)\n    {\n        if (!(a) || (b))\n"
            "        {\n            break;\n        }\n        x[0]++;\n    }",
            "",
        ),
        # The older value is used once more.
        ("    float t = s + 1.0;\n    y[0] = s;\n    s = t;", ""),
        # A turn that ends early hands on another value.
        (
            "    float _9;\n    for (int i = 0; i < n; _7 = _9, i++)\n    {\n        if (x[i] > 0.0)\n        {\n"
            "            continue;\n        }\n        _9 = _7 + 1.0;\n    }",
            "",
        ),
        ("    double _3 = 0.1000000000000000055511151231257827lf;\n    y[0] = float(_3 * _3);", ""),
    ],
)
def test_what_would_mean_something_else_stays(kept: str, before: str) -> None:
    assert body_of(kept, before) == kept


def test_the_version_is_that_of_the_stage_or_of_a_layout_that_only_later_ones_have() -> None:
    assert as_written("#version 450\nvoid main()\n{\n}\n", "fragment")[0].text == "#version 410 core"
    assert as_written("#version 450\nvoid main()\n{\n}\n", "compute")[0].text == "#version 430 core"
    placed = "#version 450\nuniform A\n{\n    layout(offset = 16) float a;\n};\nvoid main()\n{\n}\n"
    assert as_written(placed, "compute")[0].text == "#version 450 core"


def test_a_very_long_text_keeps_its_form() -> None:
    statements = "\n".join(
        f"    float _{number} = x[{number}];\n    y[{number}] = _{number};" for number in range(2000)
    )
    assert body_of(statements) == statements
