"""Lists what a driver allows of this program's features, and what to do on this system for those that it lacks."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.device import Limits, ShaderVersions
from texelscope.pipeline.gl.back_ends import newer_driver
from texelscope.pipeline.gl.context import DriverProbe
from texelscope.pipeline.lowerings.solo import STORES_VERSION

# Storage buffers and compute shaders (OpenGL 4.3, 7.8 and 19).
_COMPUTE = 430


@dataclass(frozen=True)
class Check:
    """One check: its name, whether it passed, what was seen, and what to do if it failed.

    Without one that is not `needed` the rest works as well.
    """

    name: str
    well: bool
    seen: str
    do_next: str = ""
    needed: bool = True


@dataclass(frozen=True)
class DriverFacts:
    """What is known of a driver: its limits, probes of its targets and timers, and whether it takes names."""

    limits: Limits
    float_target: DriverProbe
    timer: DriverProbe
    has_labels: bool


def features(driver: DriverFacts) -> tuple[Check, ...]:
    """Returns a check for each feature that depends on the driver."""
    limits, newer = driver.limits, newer_driver()
    with_buffers, stores = limits.version >= _COMPUTE, limits.version >= STORES_VERSION
    compute_needs = f"They need OpenGL 4.3. {newer}"
    return (
        Check("fragment passes", True, _desktop(limits.shaders)),
        Check("WebGL shaders", True, _webgl(limits.shaders)),
        Check("recorded reads", True, "in storage buffers" if with_buffers else "in colours: slower, the same reads"),
        Check("stepping", True, "in storage buffers" if with_buffers else "in colours: slower, the same steps"),
        _optional("compute passes", limits.work_groups is not None, compute_needs),
        Check("fast forms", True, "draws that write images" if stores else "draws into several colours"),
        Check("float32 render targets", driver.float_target.passed, driver.float_target.seen, newer),
        Check("GPU timers", driver.timer.passed, driver.timer.seen, "Times per pass are not shown.", needed=False),
        _optional("debug labels (RenderDoc)", driver.has_labels, "Captures show numbers instead of names."),
    )


def _optional(name: str, has: bool, do_next: str) -> Check:  # noqa: FBT001 - the answer to the name
    return Check(name, has, "yes" if has else "no", do_next, needed=False)


def _desktop(shaders: ShaderVersions) -> str:
    if shaders.desktop:
        return f"up to GLSL {_version(shaders.desktop)}"
    return f"up to GLSL 3.30, as GLSL ES {_version(shaders.es)}"


def _webgl(shaders: ShaderVersions) -> str:
    if shaders.es:
        return f"as they are, up to GLSL ES {_version(shaders.es)}"
    return "as desktop GLSL 3.30, without the rounding of lowp and mediump"


def _version(number: int) -> str:
    """Returns a version as GLSL writes it; OpenGL's is without the last digit."""
    return f"{number // 100}.{number // 10 % 10}0"
