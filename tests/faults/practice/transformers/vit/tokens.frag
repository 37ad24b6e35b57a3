#version 330
// Row 0 is the class token, row 1 + n patch n; every row gets its position.
precision highp float;

uniform sampler2D image;      // planes in a 2 x 2 grid of tiles
uniform sampler2D patchW;     // a row a filter: 3 * 4 * 4 numbers
uniform sampler2D patchB;
uniform sampler2D clsToken;
uniform sampler2D positions;
uniform ivec2 imageSize;      // width, height

#define PATCH 4
#define CHANNELS 3

out float result;

float pixel(int c, int x, int y) {
    ivec2 tile = ivec2(c % 2, c / 2) * imageSize;
    return texelFetch(image, tile + ivec2(x, y), 0).r;
}

float embed(int n, int e) {
    int perRow = imageSize.x / PATCH;
    ivec2 corner = ivec2(n % perRow, n / perRow) * PATCH;
    float s = texelFetch(patchB, ivec2(e, 0), 0).r;
    for (int c = 0; c < CHANNELS; c++)
        for (int y = 0; y < PATCH; y++)
            for (int x = 0; x < PATCH; x++)
                s += pixel(c, corner.x + x, corner.y + y)
                   * texelFetch(patchW, ivec2((c * PATCH + y) * PATCH + x, e), 0).r;
    return s;
}

void main() {
    int e = int(gl_FragCoord.x);
    int row = int(gl_FragCoord.y);
    float token = row == 0 ? texelFetch(clsToken, ivec2(e, 0), 0).r : embed(row - 1, e);
    result = token + texelFetch(positions, ivec2(e, row), 0).r;
}
