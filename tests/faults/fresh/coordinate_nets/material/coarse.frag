#version 330 core
// Grid 1 spans the tile from corner to corner.

uniform sampler2D uLat;
uniform ivec2 uLatSize;
uniform ivec2 uOutSize;

out vec4 oFeature;

void main() {
    ivec2 span = uOutSize - 1;
    ivec2 at = ivec2(gl_FragCoord.xy) * (uLatSize - 1);     // in parts of a span
    ivec2 a = at / span;
    ivec2 b = min(a + 1, uLatSize - 1);
    vec2 t = vec2(at % span) / vec2(span);

    vec4 p00 = texelFetch(uLat, a, 0);
    vec4 p10 = texelFetch(uLat, ivec2(b.x, a.y), 0);
    vec4 p01 = texelFetch(uLat, ivec2(a.x, b.y), 0);
    vec4 p11 = texelFetch(uLat, b, 0);
    oFeature = p00 * (1.0 - t.x) * (1.0 - t.y) + p10 * t.x * (1.0 - t.y)
             + p01 * (1.0 - t.x) * t.y + p11 * t.x * t.y;
}
