"""Says whether an element's products are the operator's: what was read rightly may be multiplied with the wrong weight.

Reads alone cannot tell. The numbers of a trace can, where they prove which product each step adds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.read_trace.products import ReadProducts, products_of
from texelscope.pipeline.step_trace.recorder import RecordedFragment, TraceRecorder, record
from texelscope.pipeline.step_trace.sums import sum_of

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session


@dataclass(frozen=True)
class ProductCheck:
    """Counts the `wrong` terms among the `terms` of one element's sum; `first` describes the first of them.

    `reason` says why the terms are unknown; then nothing was checked.
    """

    terms: int = 0
    wrong: int = 0
    first: str = ""
    reason: str = ""

    @property
    def are_known(self) -> bool:
        """Whether the products were checked."""
        return not self.reason


def begun_check(
    session: Session, recorder: TraceRecorder, name: str, element: int
) -> ProductCheck | Callable[[], ProductCheck] | None:
    """Checks the products behind an element (linear index); None if its operator multiplies no reads with others.

    Here is the part that needs GL; the rest, which takes long, is done by what it returns, in any thread.
    """
    each = session.plan.pass_called(name)
    products = products_of(session, each, element)
    if products is None:
        return None
    if each.dispatch is not None:  # its reads of buffers are no reads of textures
        return ProductCheck(reason="It is a compute shader.")
    if isinstance(products, str):
        return ProductCheck(reason=products)
    if not products.weight_key:  # equal weights cannot be confused
        is_mean = len(set(products.weights)) < 2
        return None if is_mean else ProductCheck(reason="The weights are numbers in the shader.")
    try:
        recorded = record(session, recorder, name, element)
    except TexelscopeError as error:  # a compute shader, or one that cannot be followed
        return ProductCheck(reason=str(error))
    return partial(_checked, session.plan, recorded, products)


def _checked(plan: Plan, recorded: RecordedFragment, products: ReadProducts) -> ProductCheck:
    try:
        found = sum_of(plan, recorded.trace(), products)
    except TexelscopeError as error:
        return ProductCheck(reason=str(error))
    if not found.terms:
        return ProductCheck(reason=found.reason)
    wrong = [term for term in found.terms if term.wrong]
    return ProductCheck(len(found.terms), len(wrong), wrong[0].text if wrong else "")
