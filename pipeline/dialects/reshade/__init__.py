"""Turns ReShade effects into passes: reads the declarations of a `.fx` file and runs its techniques' passes."""
