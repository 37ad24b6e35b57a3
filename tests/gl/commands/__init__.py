"""What `commands` promises, on a GL driver."""
