"""What a texture tab shows right now: its tensor, range and picked texel, and the commands on these."""
