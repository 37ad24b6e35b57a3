// residual block: reflect pad, conv 3x3, plus what came in
precision highp float;
precision highp sampler2D;

varying vec2 v_uv;

uniform sampler2D u_map;
uniform sampler2D u_kernel;
uniform sampler2D u_bias;
uniform vec2 u_mapTexel;
uniform vec2 u_kernelTexel;

const vec2 TILE = vec2(15.0, 11.0);

vec2 reflected(vec2 p) {
    p = abs(p);
    vec2 last = TILE - 1.0;
    return last - abs(last - p);
}

float channelAt(float c, vec2 p) {
    vec2 corner = vec2(mod(c, 3.0), floor(c / 3.0)) * TILE;
    return texture2D(u_map, (corner + reflected(p) + 0.5) * u_mapTexel).r;
}

void main() {
    vec2 pixel = floor(v_uv / u_mapTexel);
    vec2 tile = floor((pixel + 0.5) / TILE);
    vec2 p = pixel - tile * TILE;
    float o = tile.y * 3.0 + tile.x;

    float acc = 0.0;
    for (float c = 0.0; c < 6.0; c += 1.0) {
        for (float ky = -1.0; ky <= 1.0; ky += 1.0) {
            for (float kx = -1.0; kx <= 1.0; kx += 1.0) {
                vec2 k = vec2(c * 3.0 + kx + 1.0, o * 3.0 + ky + 1.0);
                acc += channelAt(c, p + vec2(kx, ky)) * texture2D(u_kernel, (k + 0.5) * u_kernelTexel).r;
            }
        }
    }
    acc += texture2D(u_bias, vec2((o + 0.5) / 6.0, 0.5)).r;
    gl_FragColor = vec4(acc + texture2D(u_map, v_uv).r);
}
