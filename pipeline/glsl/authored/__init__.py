"""Takes shader text as people have it: says what kind it is, and writes it as a driver takes it, line for line."""
