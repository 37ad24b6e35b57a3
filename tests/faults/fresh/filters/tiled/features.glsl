// Six features in two tiles side by side; beyond a tile's border zero counts.

uniform int u_width;
uniform int u_height;

ivec2 pixelOf(ivec2 target) {
    return ivec2(target.x % u_width, target.y);
}

int groupOf(ivec2 target) {
    return target.x / u_width;
}

vec4 featuresAt(sampler2D features, int group, ivec2 pixel) {
    if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(u_width, u_height)))) {
        return vec4(0.0);
    }
    return texelFetch(features, ivec2(group * u_width + pixel.x, pixel.y), 0);
}
