"""Shows the shared memory of a work group, from barrier to barrier."""
