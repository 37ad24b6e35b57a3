"""What patches promise, on a GL driver."""
