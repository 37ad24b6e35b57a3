"""All planted bugs: those that rules may be written against, and those kept aside to see whether the rules hold.

They stand in `seen/` and `held_out/`, in the folder of what they break. A module of those folders holds them as
`FAULTS`; one that is added is found here, and so is planted by everything that goes through the suite.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType

from tests.faults.fault import Fault
from tests.faults.subjects import Subject
from texelscope.pipeline.diagnose.hypotheses.registry import by_family
from texelscope.pipeline.discovery import plugins

# Every cause that a finding may name, by family.
CAUSES: Mapping[str, tuple[str, ...]] = {str(family): causes for family, causes in by_family().items()}


def faults_of(package: ModuleType) -> tuple[Fault, ...]:
    """The bugs of all modules of a package, which hold one at least. Raises TexelscopeError, naming the file."""
    expected, do_next = "a tuple of planted bugs", "See the modules beside it."
    return tuple(
        fault for plugin in plugins(package) for fault in plugin.take("FAULTS", expected, do_next, _are_faults)
    )


def _are_faults(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(each, Fault) for each in value)


def _by_family(half: str) -> Mapping[str, tuple[Fault, ...]]:
    """Lists the folders of a half."""
    return MappingProxyType(
        {family: faults_of(importlib.import_module(f"tests.faults.{half}.{family}")) for family in CAUSES}
    )


def named(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Lists bugs that a diagnosis has to name."""
    return tuple(each for each in faults if each.cause and not each.limit)


def nameless(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Lists bugs without a name, of which nothing untrue may be said."""
    return tuple(each for each in faults if not each.cause and not each.limit)


def limits(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Lists known limits: they have to show, and no test asks for their diagnosis."""
    return tuple(each for each in faults if each.limit)


def _half(half: str) -> tuple[Fault, ...]:
    return tuple(fault for family in FOLDERS[half].values() for fault in family)


# By half and family: what stands in which folder.
FOLDERS: Mapping[str, Mapping[str, tuple[Fault, ...]]] = MappingProxyType(
    {half: _by_family(half) for half in ("seen", "held_out")}
)
SEEN, HELD_OUT = named(_half("seen")), named(_half("held_out"))
SEEN_NAMELESS, HELD_OUT_NAMELESS = nameless(_half("seen")), nameless(_half("held_out"))
NOT_YET_NAMED = limits(_half("seen"))
# Those of backward passes, in shaders that were generated and in such as were written by hand.
BACKWARD = tuple(
    fault
    for family in ("reading", "computing")
    for name in ("gradients", "gradients_by_hand")
    for fault in importlib.import_module(f"tests.faults.seen.{family}.{name}").FAULTS
)
HALVES: Mapping[str, tuple[Fault, ...]] = MappingProxyType(
    {"seen": SEEN, "not_yet_named": NOT_YET_NAMED, "held_out": HELD_OUT}
)


def every_fault() -> tuple[Fault, ...]:
    """Returns all planted bugs, those without a name too."""
    return tuple(fault for half in FOLDERS for fault in _half(half))


def healthy_twins() -> dict[str, Subject]:
    """Every subject that a fault is planted in, once, by title."""
    subjects = (fault.subject() for fault in every_fault())
    return {subject.title: subject for subject in subjects}
