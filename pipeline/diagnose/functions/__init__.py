"""What is computed instead: in a part of the result, of equal largest elements, of several that come together."""
