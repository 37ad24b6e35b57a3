"""Shows how long passes take, and how long they could take at best."""
