"""What `viewer.panels` promises, on a GL driver."""
