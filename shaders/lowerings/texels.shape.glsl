// Sizes for dispatches that process texel by texel.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_y;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_fragments; // tiles, unused
    ivec4 u_stores[MAX_STORES];
};
