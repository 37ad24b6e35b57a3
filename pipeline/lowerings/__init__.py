"""Forms: faster ways to compute what plain passes compute, as data: steps through scratch into the same textures."""
