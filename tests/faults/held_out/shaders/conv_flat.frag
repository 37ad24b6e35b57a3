#version 330 core
// Convolution 7x7 of stride 2 on flat memory: four elements a texel, indices in floats.

uniform sampler2D memory;
uniform sampler2D filters;
uniform sampler2D biases;
uniform vec3 u_in;     // channels, height, width
uniform vec3 u_out;
uniform float u_kernel;
uniform float u_stride;
uniform float u_pad;

out vec4 cells;

float get(sampler2D data, float index) {
    vec2 size = vec2(textureSize(data, 0));
    float texel = floor((index + 0.5) / 4.0);
    float lane = index - texel * 4.0;
    float row = floor((texel + 0.5) / size.x);
    vec4 found = texture(data, (vec2(texel - row * size.x, row) + 0.5) / size);
    return lane < 0.5 ? found.r : lane < 1.5 ? found.g : lane < 2.5 ? found.b : found.a;
}

float convolution(float index) {
    float row = floor((index + 0.5) / u_out.z);
    float x = index - row * u_out.z;
    float feature = floor((row + 0.5) / u_out.y);
    float y = row - feature * u_out.y;

    float total = 0.0;
    for (float channel = 0.0; channel < u_in.x; channel++)
        for (float v = 0.0; v < u_kernel; v++) {
            float from_y = y * u_stride + v - u_pad;
            if (from_y < 0.0 || from_y >= u_in.y) continue;
            for (float u = 0.0; u < u_kernel; u++) {
                float from_x = x * u_stride + u - u_pad;
                if (from_x < 0.0 || from_x >= u_in.z) continue;
                float pixel = get(memory, (channel * u_in.y + from_y) * u_in.z + from_x);
                float weight = get(filters, ((feature * u_in.x + channel) * u_kernel + v) * u_kernel + u);
                total += pixel * weight;
            }
        }
    return total + get(biases, feature);
}

void main() {
    vec2 here = floor(gl_FragCoord.xy);
    float width = ceil(sqrt(ceil(u_out.x * u_out.y * u_out.z / 4.0)) - 0.001);
    float first = (here.y * width + here.x) * 4.0;
    float count = u_out.x * u_out.y * u_out.z;
    cells = vec4(0.0);
    if (first < count) cells.r = convolution(first);
    if (first + 1.0 < count) cells.g = convolution(first + 1.0);
    if (first + 2.0 < count) cells.b = convolution(first + 2.0);
    if (first + 3.0 < count) cells.a = convolution(first + 3.0);
}
