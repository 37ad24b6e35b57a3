"""Writes the functions by which whole numbers are divided as WGSL says (WGSL, 8.7)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Divisors:
    """Notes for which types a division needs a divisor that GLSL can divide by: how many components of i32."""

    sizes: set[int] = field(default_factory=set)

    def rows(self) -> list[str]:
        """Returns the functions that the divisions use.

        By 0, and the lowest number by -1, WGSL divides as by 1 (WGSL, 8.7); in GLSL the result is undefined.
        """
        if not self.sizes:
            return []
        found = [
            "int divisor_of(int a, int b) { return b == 0 || (b == -1 && a == (-2147483647 - 1)) ? 1 : b; }",
        ]
        for size in sorted(self.sizes - {1}):
            parts = ", ".join(f"divisor_of(a.{each}, b.{each})" for each in "xyzw"[:size])
            found.append(f"ivec{size} divisor_of(ivec{size} a, ivec{size} b) {{ return ivec{size}({parts}); }}")
        return found
