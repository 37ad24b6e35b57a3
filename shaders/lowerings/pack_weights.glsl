// Weights of a tensor in the order in which `window_sum.glsl` reads them, and the bias after them: four outputs a texel,
// by parity, block of BLOCK groups of outputs, group of inputs, tap along y and x, group of the block, input
//
// One fragment packs four inputs. A convolution's weights are [output, input, tap, tap], those of a transposed one
// [input, output, tap, tap], of which parity r has each SPREAD-th tap from (r + pad) mod SPREAD on, last first. Where
// each row of a convolution's input is repeated, rows of taps that read the same one are added up.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_w;    // taps along y and x, columns of the grid of tiles, groups of four channels of the tensor
    ivec4 u_sum;  // groups of inputs and outputs, inputs, outputs
    ivec4 u_taps; // of one parity along y and x, t along y and x
    ivec4 u_pads; // padding along y and x, width of the draw, number of fragments
    ivec4 u_part; // first group of inputs, place of the first weights in fours
    vec4 u_texel; // 1 / width and height of the tensor in texels
};

layout(std430, binding = 0) writeonly buffer Weights {
    vec4 b_weights[];
};

vec4 texel(int n, int group, ivec2 tap) {
    int tile = n * u_w.w + group;
    ivec2 corner = ivec2(tile % u_w.z, tile / u_w.z) * u_w.yx;
    return textureLod(t_X, (vec2(corner + tap.yx) + 0.5) * u_texel.xy, 0.0);
}

// The taps along y, from the first to before the second, that read the same row of a convolution's input
ivec2 taps_of(int row) {
    if (REPEATS_Y == 1) return ivec2(row, row + 1);
    ivec2 taps = ivec2(0);
    int start = 0;
    for (int r = 0; r < REPEATS_Y; r++) { // unrolled
        int first = (r + SHIFT_Y) / REPEATS_Y;
        int count = (r + SHIFT_Y + u_w.x - 1) / REPEATS_Y - first + 1;
        int tap = (row - start + first) * REPEATS_Y - r - SHIFT_Y;
        if (row >= start && row < start + count) taps = ivec2(max(tap, 0), min(tap + REPEATS_Y, u_w.x));
        start += count;
    }
    return taps;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int index = at.y * u_pads.z + at.x;
    if (index >= u_pads.w) discard;
    int blocks = (u_sum.y + BLOCK - 1) / BLOCK;
    int count = blocks * u_sum.x * u_taps.x * u_taps.y * u_taps.z * u_taps.w * BLOCK;
    if (index >= count) {
        int first = (index - count) * 4;
        vec4 bias = vec4(0.0);
        for (int k = 0; k < 4; k++) { // unrolled
            int at_bias = (first + k) / BIAS_A_TEXEL;
            vec4 held = texelFetch(t_B, ivec2(at_bias % BIAS_COLUMNS, at_bias / BIAS_COLUMNS), 0);
            if (first + k < u_sum.w) bias[k] = held[k % BIAS_A_TEXEL];
        }
        b_weights[(u_part.y + count) * 4 + index - count] = bias;
        return;
    }
    int rest = index;
    int group = rest % BLOCK;
    rest /= BLOCK;
    ivec2 tap;
    tap.y = rest % u_taps.y;
    rest /= u_taps.y;
    tap.x = rest % u_taps.x;
    rest /= u_taps.x;
    int i = rest % u_sum.x;
    rest /= u_sum.x;
    int o = rest % blocks * BLOCK + group;
    ivec2 remainder = ivec2(rest / blocks / u_taps.w, rest / blocks % u_taps.w);

    mat4 w;
    if (TRANSPOSED == 1) {
        tap = (remainder + u_pads.xy) % u_taps.zw + u_taps.zw * (u_taps.xy - 1 - tap);
        for (int k = 0; k < 4; k++) { // unrolled
            w[k] = i * 4 + k < u_sum.z ? texel(i * 4 + k, o, tap) : vec4(0.0);
        }
    } else {
        bvec4 is_input = lessThan(i * 4 + ivec4(0, 1, 2, 3), ivec4(u_sum.z));
        ivec2 taps = taps_of(tap.x);
        for (int k = 0; k < 4; k++) { // unrolled
            w[k] = vec4(0.0);
            for (int m = 0; m < REPEATS_Y; m++) { // unrolled
                tap.x = taps.x + m;
                bool is_there = tap.x < taps.y && o * 4 + k < u_sum.w;
                w[k] += is_there ? mix(vec4(0.0), texel(o * 4 + k, u_part.x + i, tap), is_input) : vec4(0.0);
            }
        }
        w = transpose(w);
    }
    for (int k = 0; k < 4; k++) { // unrolled
        b_weights[(u_part.y + index) * 4 + k] = w[k];
    }
}
