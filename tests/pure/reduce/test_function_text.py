"""A function of an oracle file travels with what it needs, and with nothing else."""

from __future__ import annotations

from texelscope.pipeline.reduce.hand_written import only

TEXT = '''\
"""Everything."""

from __future__ import annotations

import os
import numpy as np

SLOPE, OTHER = 0.2, 1
UNUSED = os.name


def _leaky(x):
    # keeps its comments
    return np.where(x < 0, SLOPE * x, x)


@np.vectorize
def twice(x):
    return 2 * x


def first(x):
    return _leaky(x)


second = lambda x: twice(x)
'''


def test_a_function_brings_what_it_calls_and_what_that_uses() -> None:
    text = only(TEXT, ["first"])
    for part in ("from __future__", "import numpy as np", "SLOPE, OTHER = 0.2, 1", "# keeps its comments", "def first"):
        assert part in text
    for part in ("import os", "UNUSED", "twice", "second"):
        assert part not in text
    names: dict[str, object] = {}
    exec(text, names)
    assert names["first"](-1.0) == -0.2  # type: ignore[operator]


def test_a_function_that_is_a_value_and_its_decorated_helper_come_whole() -> None:
    assert only(TEXT, ["second"]) == (
        "from __future__ import annotations\n\nimport numpy as np\n\n@np.vectorize\ndef twice(x):\n    return 2 * x\n\n"
        "second = lambda x: twice(x)\n"
    )
