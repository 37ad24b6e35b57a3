#version 330 core
// 1 where t_now and t_held differ in any bit of 8 x 8 texels, else 0. Those of one fragment lie u_apart texels apart, so
// that neighbouring fragments read neighbouring texels; fragments count row by row of u_apart, those beyond it are 0.

uniform sampler2D t_now;
uniform sampler2D t_held;
uniform ivec2 u_apart;         // an eighth of the size of both textures, rounded up
uniform int u_first_row;       // of the target, where fragment 0 is
uniform int u_a_row;           // fragments in a row of the target
out float differs;

const int SIDE = 8;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int number = (at.y - u_first_row) * u_a_row + at.x;
    ivec2 first = ivec2(number % u_apart.x, number / u_apart.x);
    differs = 0.0;
    if (first.y >= u_apart.y) return;

    // Beyond the border the last texel is read again, which changes nothing.
    vec2 texel = 1.0 / vec2(textureSize(t_now, 0));
    vec2 start = (vec2(first) + 0.5) * texel;
    vec2 apart = vec2(u_apart) * texel;
    uvec4 bits = uvec4(0u);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            vec2 centre = start + vec2(x, y) * apart;
            bits |= floatBitsToUint(textureLod(t_now, centre, 0.0)) ^ floatBitsToUint(textureLod(t_held, centre, 0.0));
        }
    }
    if (bits != uvec4(0u)) differs = 1.0;
}
