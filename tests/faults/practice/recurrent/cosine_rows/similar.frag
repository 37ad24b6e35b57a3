#version 330
// Cosines of all pairs of rows, times the inverse temperature
uniform sampler2D unit;
uniform float heat;
out float value;
void main() {
    int query = int(gl_FragCoord.y), key = int(gl_FragCoord.x);
    float sum = 0.0;
    for (int i = 0; i < textureSize(unit, 0).x; i++) {
        sum += texelFetch(unit, ivec2(i, query), 0).r * texelFetch(unit, ivec2(i, key), 0).r;
    }
    value = heat * sum;
}
