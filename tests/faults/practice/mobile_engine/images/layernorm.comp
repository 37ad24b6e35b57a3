#version 430
// Layer norm over the channels of a place, then a slope a channel below zero. Slices side by side in the image.

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f) readonly uniform image2D u_in;
layout(rgba32f) writeonly uniform image2D u_out;
layout(std430) readonly buffer Gamma { float gamma[]; };
layout(std430) readonly buffer Beta { float beta[]; };
layout(std430) readonly buffer Slope { float slope[]; };

uniform ivec3 u_shape;  // w, h, channels
uniform float u_eps;

void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_shape.xy))) return;
    int slices = (u_shape.z + 3) / 4;
    float n = float(u_shape.z);

    float sum = 0.0;
    for (int c = 0; c < u_shape.z; ++c)
        sum += imageLoad(u_in, ivec2(p.x + (c >> 2) * u_shape.x, p.y))[c & 3];
    float mean = sum / n;

    float squares = 0.0;
    for (int c = 0; c < u_shape.z; ++c) {
        float d = imageLoad(u_in, ivec2(p.x + (c >> 2) * u_shape.x, p.y))[c & 3] - mean;
        squares += d * d;
    }
    float scale = inversesqrt(squares / n + u_eps);

    for (int s = 0; s < slices; ++s) {
        vec4 v = (imageLoad(u_in, ivec2(p.x + s * u_shape.x, p.y)) - mean) * scale;
        vec4 r = vec4(0.0);
        for (int k = 0; k < 4; ++k) {
            int c = s * 4 + k;
            if (c >= u_shape.z) break;
            float a = v[k] * gamma[c] + beta[c];
            r[k] = a < 0.0 ? a * slope[c] : a;
        }
        imageStore(u_out, ivec2(p.x + s * u_shape.x, p.y), r);
    }
}
