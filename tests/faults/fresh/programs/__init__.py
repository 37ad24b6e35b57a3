"""Fragment programs as a library of tensors in textures generates them: accessors, output coordinates, setOutput."""
