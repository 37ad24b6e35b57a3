// style-transfer demo, layer 0: reflect pad, conv 3x3 / 2, RGB side by side
precision highp float;
precision highp sampler2D;

varying vec2 v_uv;

uniform sampler2D u_image;
uniform sampler2D u_kernel;
uniform sampler2D u_bias;
uniform vec2 u_inSize;
uniform vec2 u_inTexel;
uniform vec2 u_outSize;
uniform vec2 u_tileSize;
uniform vec2 u_kernelTexel;

float mirror(float i, float n) {
    i = abs(i);
    return i > n - 1.0 ? 2.0 * (n - 1.0) - i : i;
}

float pixelAt(float plane, float x, float y) {
    vec2 at = vec2(mirror(x, u_inSize.x) + plane * u_inSize.x, mirror(y, u_inSize.y));
    return texture2D(u_image, (at + 0.5) * u_inTexel).r;
}

float weightAt(float filter_, float plane, float kx, float ky) {
    vec2 at = vec2(plane * 3.0 + kx, filter_ * 3.0 + ky);
    return texture2D(u_kernel, (at + 0.5) * u_kernelTexel).r;
}

#define TAP(kx, ky) sum += pixelAt(plane, origin.x + kx, origin.y + ky) * weightAt(filter_, plane, kx, ky);

void main() {
    vec2 pixel = floor(v_uv * u_outSize);
    vec2 tile = floor((pixel + 0.5) / u_tileSize);
    vec2 origin = (pixel - tile * u_tileSize) * 2.0 - 1.0;
    float filter_ = tile.y * 3.0 + tile.x;

    float sum = texture2D(u_bias, vec2((filter_ + 0.5) / 6.0, 0.5)).r;
    for (int i = 0; i < 3; i++) {
        float plane = float(i);
        TAP(0.0, 0.0)
        TAP(1.0, 0.0)
        TAP(2.0, 0.0)
        TAP(0.0, 1.0)
        TAP(1.0, 1.0)
        TAP(2.0, 1.0)
        TAP(0.0, 2.0)
        TAP(1.0, 2.0)
        TAP(2.0, 2.0)
    }
    gl_FragColor = vec4(sum, 0.0, 0.0, 1.0);
}
