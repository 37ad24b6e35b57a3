#version 330 core
// Reads every texel of X once, for a target that is u_parts times smaller: no read fills a cache for another.

uniform sampler2D t_X;
uniform ivec2 u_parts;
out vec4 Y;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(t_X, 0));
    vec2 corner = gl_FragCoord.xy * texel;
    vec2 part = 1.0 / vec2(u_parts);
    vec4 sum = vec4(0.0);

    for (int y = 0; y < u_parts.y; y++) {
        for (int x = 0; x < u_parts.x; x++) {
            sum += textureLod(t_X, corner + vec2(x, y) * part, 0.0);
        }
    }
    Y = sum;
}
