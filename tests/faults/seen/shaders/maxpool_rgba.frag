#version 330 core
// The largest of a window, four channels at once.

uniform sampler2D u_src;
uniform ivec2 u_in_size;
uniform ivec2 u_out_size;
uniform int u_window;
uniform int u_step;
uniform int u_margin;

out vec4 result;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_out_size;
    ivec2 origin = (texel % u_out_size) * u_step - u_margin;

    vec4 best = vec4(-3.4e38);
    for (int dy = 0; dy < u_window; dy++) {
        for (int dx = 0; dx < u_window; dx++) {
            ivec2 p = origin + ivec2(dx, dy);
            if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, u_in_size))) continue;
            best = max(best, texelFetch(u_src, tile * u_in_size + p, 0));
        }
    }
    result = best;
}
