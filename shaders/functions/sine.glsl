// sin x; coefficients: Cephes, sinf and cosf
float sine(float x) {
    vec2 turns = quarter_turns(x);
    float s = turns.x * turns.x;
    float along = ((-1.9515295891e-4 * s + 8.3321608736e-3) * s - 1.6666654611e-1) * s * turns.x + turns.x;
    float across = ((2.443315711809948e-5 * s - 1.388731625493765e-3) * s + 4.166664568298827e-2) * s * s;
    across = across - 0.5 * s + 1.0;
    bool odd = turns.y == 1.0 || turns.y == 3.0;
    float y = odd ? across : along;
    return turns.y >= 2.0 ? -y : y;
}
