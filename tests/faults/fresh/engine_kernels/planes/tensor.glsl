// Tensors in textures: element i lies in lane i % 4 of texel i / 4. Shapes are n, c, h, w.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform ivec4 u_y_shape;
out vec4 o_value;

float element(sampler2D tex, int i) {
    int width = textureSize(tex, 0).x;
    int texel = i / 4;
    return texelFetch(tex, ivec2(texel % width, texel / width), 0)[i % 4];
}

int offset(ivec4 shape, int n, int c, int h, int w) {
    return ((n * shape.y + c) * shape.z + h) * shape.w + w;
}

float compute(ivec4 at);

// The four elements of this fragment's texel; `width` is that of the target.
void run(int width) {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int first = 4 * (px.y * width + px.x);
    int count = u_y_shape.x * u_y_shape.y * u_y_shape.z * u_y_shape.w;
    o_value = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        int i = first + lane;
        if (i >= count) break;
        int w = i % u_y_shape.w;
        int h = i / u_y_shape.w % u_y_shape.z;
        int c = i / (u_y_shape.w * u_y_shape.z) % u_y_shape.y;
        int n = i / (u_y_shape.w * u_y_shape.z * u_y_shape.y);
        o_value[lane] = compute(ivec4(n, c, h, w));
    }
}
