// cos x = sin(x + π/2)
float cosine(float x) {
    vec2 turns = quarter_turns(x);
    return sine_of_turns(vec2(turns.x, turns.y == 3.0 ? 0.0 : turns.y + 1.0));
}
