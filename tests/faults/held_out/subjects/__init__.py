"""What these bugs are planted in."""
