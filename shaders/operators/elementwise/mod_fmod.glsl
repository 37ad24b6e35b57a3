// Mod with fmod = 1: the remainder with the sign of a

float binary(float a, float b) {
    return remainder_towards_zero(a, b);
}
