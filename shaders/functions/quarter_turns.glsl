// x = k·π/2 + r with |r| ≤ π/4; returns (r, k mod 4). π/2 in three parts, two of them of 8 bits, so that k·part is
// exact up to |x| = 10⁵ (Cody and Waite 1980); further out r is off by up to |x|·2⁻²².
vec2 quarter_turns(float x) {
    float k = roundEven(x * 0.6366197724);
    float r = x - k * 1.5703125;
    r -= k * 4.825592041015625e-4;
    r -= k * 1.26759084651e-6;
    if (abs(r) > 0.79) r = sign(r) * 0.79;
    return vec2(r, k - 4.0 * floor(k * 0.25));
}
