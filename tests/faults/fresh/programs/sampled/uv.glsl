precision highp float;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outColor;

// Images are H * W rows of C texels. All coordinates are floats with whole values: row, col, d.
float getImage(sampler2D img, vec2 dims, float depth, vec2 rc, float d) {
    float row = rc.x * dims.y + rc.y;
    return texture(img, vec2(d + 0.5, row + 0.5) / vec2(depth, dims.x * dims.y)).r;
}

// Row, column and channel of this fragment in an image of dims = (H, W).
vec3 getOutputCoords(vec2 dims, float depth) {
    vec2 at = floor(resultUV * vec2(depth, dims.x * dims.y));
    float row = floor((at.y + 0.5) / dims.y);
    return vec3(row, at.y - row * dims.y, at.x);
}
