"""What `model_file` promises, without GL."""
