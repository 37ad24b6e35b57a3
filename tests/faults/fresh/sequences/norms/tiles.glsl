const vec2 TILE = vec2(5.0, 7.0);
const float CHANNELS = 9.0;
const float BATCH = 2.0;

// Column and row of tile number n.
vec2 cellOf(float n, vec2 grid) {
    float row = floor((n + 0.5) / grid.x);
    return vec2(n - row * grid.x, row);
}

// Number of the tile at a pixel.
float tileAt(vec2 pixel, vec2 tile, vec2 grid) {
    vec2 cell = floor(pixel / tile);
    return cell.y * grid.x + cell.x;
}

// A texel of tile n; p counts from the tile's corner.
float fetchTile(sampler2D tex, float n, vec2 p, vec2 tile, vec2 grid) {
    vec2 pixel = cellOf(n, grid) * tile + p + 0.5;
    return texture(tex, pixel / (grid * tile)).r;
}
