#version 330 core
// Mean over a window with its padding counted, four channels at once.

uniform sampler2D t_source;
uniform vec2 u_source_tile;
uniform vec2 u_source_texels;
uniform vec2 u_tile;
uniform float u_window;
uniform float u_stride;
uniform float u_pad;

layout(location = 0) out vec4 o_mean;

vec4 look(vec2 tile, vec2 at) {
    bool outside = any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, u_source_tile));
    return outside ? vec4(0.0) : texture(t_source, (tile * u_source_tile + at + 0.5) / u_source_texels);
}

void main() {
    vec2 tile = floor(gl_FragCoord.xy / u_tile);
    vec2 first = floor(mod(gl_FragCoord.xy, u_tile)) * u_stride - u_pad;
    vec4 total = vec4(0.0);
    for (float v = 0.0; v < u_window; v += 1.0)
        for (float u = 0.0; u < u_window; u += 1.0)
            total += look(tile, first + vec2(u, v));
    o_mean = total / (u_window * u_window);
}
