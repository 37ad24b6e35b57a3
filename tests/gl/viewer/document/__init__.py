"""What `viewer.document` promises, on a GL driver."""
