#[compute]
#version 450

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) restrict readonly buffer InputPixels {
    vec3 data[];
} input_pixels;

layout(set = 0, binding = 1, std430) restrict readonly buffer WeightData {
    float data[];
} weight_data;

layout(set = 0, binding = 2, std430) restrict writeonly buffer OutputPixels {
    vec3 data[];
} output_pixels;

layout(push_constant, std430) uniform Params {
    ivec2 raster_size;
    float gain;
    float pad;
} params;

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (cell.x >= params.raster_size.x || cell.y >= params.raster_size.y) {
        return;
    }
    vec3 total = vec3(0.0);
    for (int ky = 0; ky < 3; ky++) {
        for (int kx = 0; kx < 3; kx++) {
            ivec2 at = cell + ivec2(kx - 1, ky - 1);
            if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, params.raster_size))) {
                continue;
            }
            vec3 pixel = input_pixels.data[at.y * params.raster_size.x + at.x];
            for (int o = 0; o < 3; o++) {
                for (int i = 0; i < 3; i++) {
                    total[o] += weight_data.data[((o * 3 + i) * 3 + ky) * 3 + kx] * pixel[i];
                }
            }
        }
    }
    output_pixels.data[cell.y * params.raster_size.x + cell.x] = params.gain * tanh(total);
}
