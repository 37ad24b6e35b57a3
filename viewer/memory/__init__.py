"""What is kept from one start to the next: settings, views, ranges."""
