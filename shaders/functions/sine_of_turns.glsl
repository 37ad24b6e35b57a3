// sin(r + k·π/2) of (r, k), |r| ≤ π/4, k of 0 to 3; coefficients: Cephes, sinf and cosf
float sine_of_turns(vec2 turns) {
    float s = turns.x * turns.x;
    float along = ((-1.9515295891e-4 * s + 8.3321608736e-3) * s - 1.6666654611e-1) * s * turns.x + turns.x;
    float across = ((2.443315711809948e-5 * s - 1.388731625493765e-3) * s + 4.166664568298827e-2) * s * s;
    across = across - 0.5 * s + 1.0;
    float y = turns.y == 1.0 || turns.y == 3.0 ? across : along;
    return turns.y >= 2.0 ? -y : y;
}
