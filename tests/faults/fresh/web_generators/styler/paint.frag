// last layer: nearest x2, reflect pad, conv 3x3, tanh to [0, 1]
precision highp float;
precision highp sampler2D;

varying vec2 v_uv;

uniform sampler2D u_map;
uniform sampler2D u_kernel;
uniform sampler2D u_bias;
uniform vec2 u_size;
uniform vec2 u_mapTexel;
uniform vec2 u_kernelTexel;

float mirror(float i, float n) {
    if (i < 0.0) return -i;
    if (i >= n) return 2.0 * n - 2.0 - i;
    return i;
}

float squash(float x) {
    float e = exp(-2.0 * abs(x));
    return sign(x) * (1.0 - e) / (1.0 + e);
}

float up(float c, vec2 p) {
    p = vec2(mirror(p.x, u_size.x), mirror(p.y, u_size.y));
    vec2 corner = vec2(mod(c, 3.0) * 15.0, floor(c / 3.0) * 11.0);
    return texture2D(u_map, (corner + floor(p * 0.5) + 0.5) * u_mapTexel).r;
}

float w(float rgb, float c, float kx, float ky) {
    return texture2D(u_kernel, (vec2((rgb * 6.0 + c) * 3.0 + kx, ky) + 0.5) * u_kernelTexel).r;
}

void main() {
    vec2 pixel = floor(gl_FragCoord.xy);
    float rgb = floor((pixel.x + 0.5) / u_size.x);
    vec2 p = vec2(pixel.x - rgb * u_size.x, pixel.y);

    float acc = texture2D(u_bias, vec2((rgb + 0.5) / 3.0, 0.5)).r;
    for (int i = 0; i < 6; i++) {
        float c = float(i);
        acc += up(c, p + vec2(-1.0, -1.0)) * w(rgb, c, 0.0, 0.0);
        acc += up(c, p + vec2( 0.0, -1.0)) * w(rgb, c, 1.0, 0.0);
        acc += up(c, p + vec2( 1.0, -1.0)) * w(rgb, c, 2.0, 0.0);
        acc += up(c, p + vec2(-1.0,  0.0)) * w(rgb, c, 0.0, 1.0);
        acc += up(c, p) * w(rgb, c, 1.0, 1.0);
        acc += up(c, p + vec2( 1.0,  0.0)) * w(rgb, c, 2.0, 1.0);
        acc += up(c, p + vec2(-1.0,  1.0)) * w(rgb, c, 0.0, 2.0);
        acc += up(c, p + vec2( 0.0,  1.0)) * w(rgb, c, 1.0, 2.0);
        acc += up(c, p + vec2( 1.0,  1.0)) * w(rgb, c, 2.0, 2.0);
    }
    gl_FragColor = vec4(squash(acc) * 0.5 + 0.5);
}
