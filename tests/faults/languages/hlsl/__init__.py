"""HLSL as engines, effects and compute kernels have it."""
