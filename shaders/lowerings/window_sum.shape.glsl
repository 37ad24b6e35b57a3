// Sizes for dispatches that sum over a window; layers that differ only in these share a program.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_y;         // the same of the output
    ivec4 u_fragments; // unused
    ivec4 u_places;    // rows and columns of the outputs of one parity, their number through all images, parities
    ivec4 u_steps;     // s along y and x, t along y and x
    ivec4 u_split;     // work groups that share a sum, taps · groups of x for each
    ivec4 u_stores[MAX_STORES];
    vec4 u_inverse;    // 1 / groups of x, 1 / columns of the grid of x
    ivec4 u_parities[MAX_PARITIES]; // first tap, number of taps, r along y and x
    ivec4 u_taps[MAX_TAPS];         // where the tap reads x for output 0 of its parity, along y and x
};
