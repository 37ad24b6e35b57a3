"""Tests that recorded WebGPU runs, is compared and is named where it is wrong."""
