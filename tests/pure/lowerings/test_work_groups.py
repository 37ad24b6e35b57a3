"""How a sum is dealt to work groups within the memory that there is for its parts."""

from __future__ import annotations

import pytest

from texelscope.pipeline.lowerings.work_groups import TEXEL_BYTES, Lines, dealt

KIND = Lines(rows=16, columns=4, slices=16, loads=2)
SIZE = {"rows": 32, "columns": 16, "k": 1024, "parities": 1}
SHARE = SIZE["rows"] * SIZE["columns"] * TEXEL_BYTES


@pytest.mark.parametrize(("workspace", "shares"), [(None, 32), (100 * SHARE, 32), (8 * SHARE, 8), (SHARE - 1, 1)])
def test_the_parts_of_a_sum_take_no_more_than_there_is_for_them(workspace: int | None, shares: int) -> None:
    found = dealt(KIND, **SIZE, wanted=1000, workspace=workspace)
    assert found.shares == shares
    assert found.shares * found.share >= SIZE["k"]
