"""The schema under which a node is read: ONNX's own, of the opset that the model names."""

from __future__ import annotations

import onnx


def schema_of(op_type: str, opset: int, domain: str) -> onnx.defs.OpSchema | None:
    """None for an operator of somebody's own: it is shown as not run, never a reason not to open the file.

    Of a version that ONNX withdrew nothing can be inferred: the version before it tells shapes and attributes (Upsample
    9 for 10), or the newest one where it was the first (GroupNormalization 21 for 18).
    """
    try:
        schema = onnx.defs.get_schema(op_type, opset, domain)
    except onnx.defs.SchemaError:
        return None
    if not schema.deprecated:
        return schema
    versions = [each for each in _versions(op_type, domain) if not each.deprecated]
    earlier = [each for each in versions if each.since_version < schema.since_version]
    return next(iter([*reversed(earlier), *reversed(versions)]), None)


def _versions(op_type: str, domain: str) -> list[onnx.defs.OpSchema]:
    """All versions of an operator, the oldest first."""
    known = onnx.defs.get_all_schemas_with_history()
    return sorted(
        (each for each in known if each.name == op_type and each.domain == domain), key=lambda each: each.since_version
    )
