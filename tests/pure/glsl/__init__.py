"""What `glsl` promises, without GL."""
