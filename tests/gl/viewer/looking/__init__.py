"""What `viewer.looking` promises, on a driver."""
