"""What `shader_trials` promises."""
