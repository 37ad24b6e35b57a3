// Tensors are flat: number i is at column mod(i, 16), row i / 16. All of it in floats, for WebGL 1.
precision highp float;
precision highp sampler2D;

#define COLUMNS 16.0

float at(sampler2D tensor, vec2 size, float i) {
    float row = floor((i + 0.5) / COLUMNS);
    float column = i - row * COLUMNS;
    return texture2D(tensor, (vec2(column, row) + 0.5) / size).r;
}

float ownIndex() {
    return floor(gl_FragCoord.y) * COLUMNS + floor(gl_FragCoord.x);
}

float quotient(float a, float b) {
    return floor((a + 0.5) / b);
}
