"""What `viewer.texture` promises, on a GL driver."""
