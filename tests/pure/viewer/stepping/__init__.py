"""What `viewer.stepping` promises, on traces made by hand."""
