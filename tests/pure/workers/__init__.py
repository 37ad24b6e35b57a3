"""What `workers` promises."""
