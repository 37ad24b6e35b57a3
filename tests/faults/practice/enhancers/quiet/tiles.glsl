// A channel is a tile of the texture; `across` tiles stand beside each other.

struct Element {
    int c;
    ivec2 at;
};

Element element(ivec2 texel, int across, ivec2 size) {
    ivec2 tile = texel / size;
    return Element(tile.y * across + tile.x, texel - tile * size);
}

float fetch(sampler2D from, int across, ivec2 size, int c, ivec2 at) {
    return texelFetch(from, ivec2(c % across, c / across) * size + at, 0).r;
}

float fetch_or_zero(sampler2D from, int across, ivec2 size, int c, ivec2 at) {
    if (at.x < 0 || at.y < 0 || at.x >= size.x || at.y >= size.y) return 0.0;
    return fetch(from, across, size, c, at);
}
