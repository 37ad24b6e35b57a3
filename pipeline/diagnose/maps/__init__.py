"""Maps from the element expected to the one taken, solved from answers to designed inputs, and what they are called."""
