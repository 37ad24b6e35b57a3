#version 330
// Patch embedding as a strided convolution, a class token before the patches, learned positions.
uniform sampler2D image;      // channels in tiles, two in a row
uniform sampler2D filters;    // 14 rows: channel, row, column of the patch
uniform sampler2D filter_bias;
uniform sampler2D class_token;
uniform sampler2D positions;
uniform vec2 image_size;      // one channel, in texels
uniform vec2 atlas_size;
uniform vec2 patch_size;
in vec2 uv;
out float result;

const float DEPTH = 14.0;
const float TOKENS = 16.0;

void main() {
    float d = floor(uv.x * DEPTH);
    float token = floor(uv.y * TOKENS);
    float position = texture(positions, uv).r;
    if (token < 0.5) {
        result = texture(class_token, vec2(uv.x, 0.5)).r + position;
        return;
    }
    float across = image_size.x / patch_size.x;
    float patch_index = token - 1.0;
    vec2 corner = vec2(mod(patch_index, across), floor((patch_index + 0.5) / across)) * patch_size;
    float taps = patch_size.x * patch_size.y;
    float sum = texture(filter_bias, vec2(uv.x, 0.5)).r;
    for (float c = 0.0; c < 3.0; c += 1.0) {
        vec2 tile = vec2(mod(c, 2.0), floor(c / 2.0)) * image_size;
        for (float y = 0.0; y < patch_size.y; y += 1.0) {
            for (float x = 0.0; x < patch_size.x; x += 1.0) {
                float tap = c * taps + y * patch_size.x + x;
                float pixel = texture(image, (tile + corner + vec2(x, y) + 0.5) / atlas_size).r;
                float weight = texture(filters, vec2((tap + 0.5) / (3.0 * taps), (d + 0.5) / DEPTH)).r;
                sum += pixel * weight;
            }
        }
    }
    result = sum + position;
}
