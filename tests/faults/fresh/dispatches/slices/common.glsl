#define UP_DIV(a, b) (((a) + (b) - 1) / (b))
#define GROUP_SIZE layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in
#define LOAD(image, x, y, z) texelFetch(image, ivec3(x, y, z), 0)
#define CHANNEL(image, x, y, c) texelFetch(image, ivec3(x, y, (c) >> 2), 0)[(c) & 3]
#define OUTSIDE(pos, size) any(greaterThanEqual(pos, size))
