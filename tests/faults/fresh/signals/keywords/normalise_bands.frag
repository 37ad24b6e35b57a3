#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "tiles.glsl"

// Cepstral-style mean and variance normalisation: every band over its own frames.

uniform sampler2D u_logs;
uniform int u_bands;
uniform int u_frames;
uniform float u_epsilon;
out float o_normed;

float bandMean(int band) {
    float total = 0.0;
    for (int frame = 0; frame < u_frames; frame++) {
        total += readTile(u_logs, 0, 1, ivec2(u_frames, u_bands), band, frame);
    }
    return total / float(u_frames);
}

float bandVariance(int band, float mean) {
    float total = 0.0;
    for (int frame = 0; frame < u_frames; frame++) {
        float away = readTile(u_logs, 0, 1, ivec2(u_frames, u_bands), band, frame) - mean;
        total += away * away;
    }
    return total / float(u_frames);
}

void main() {
    int frame = int(gl_FragCoord.x);
    int band = int(gl_FragCoord.y);
    float mean = bandMean(band);
    float variance = bandVariance(band, mean);
    float value = readTile(u_logs, 0, 1, ivec2(u_frames, u_bands), band, frame);
    o_normed = (value - mean) / sqrt(variance + u_epsilon);
}
