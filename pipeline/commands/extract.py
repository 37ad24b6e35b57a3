"""Implements `extract`: turns the network in a shader into a model, and compares it with another."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.dialects.effects.network import network_of_effect
from texelscope.pipeline.dialects.mpv.network.network import Network
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_plan
from texelscope.pipeline.importers import magpie_effect, reshade_effect
from texelscope.pipeline.importers.mpv_shader import shader_plan
from texelscope.pipeline.target import OpenOptions


def extracted(shader: Path, options: OpenOptions) -> Network:
    """Extracts the network of a shader. Raises TexelscopeError for no shader, and for one without a network."""
    # A text needs no driver, so any limits do.
    limits = options.limits or Limits(version=430, work_groups=WorkGroups())
    options = dataclasses.replace(options, limits=limits)
    effect = {".hlsl": magpie_effect, ".fx": reshade_effect}.get(shader.suffix.lower())
    if effect is not None:
        return network_of_effect(effect.IMPORTER.effect_plan(shader, options))
    return network_of_plan(shader_plan(shader, options))


def write(network: Network, to: Path) -> None:
    """Writes the model. Raises TexelscopeError for a place that cannot be written to."""
    write_whole(to, lambda unfinished: unfinished.write_bytes(network.model.SerializeToString()))


def described(network: Network) -> str:
    """Describes the network in a line."""
    graph = network.model.graph
    numbers = sum(network.constants[name].size for name in network.lines)
    taken = ", ".join(each.name for each in graph.input)
    made = ", ".join(each.name for each in graph.output)
    return (
        f"{network.file}: {len(network.of_block)} blocks, {len(graph.node)} nodes, {numbers} weights; "
        f"{taken} becomes {made}."
    )
