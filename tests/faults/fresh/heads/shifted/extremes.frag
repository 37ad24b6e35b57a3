#version 330
// What a softmax needs of each row: the largest score in column 0, the sum of exponentials in column 1.

uniform sampler2D scores;
uniform int keys;

out float statistic;

float scoreAt(int key) {
    return texelFetch(scores, ivec2(key, int(gl_FragCoord.y)), 0).r;
}

float largestScore() {
    float largest = scoreAt(0);
    for (int key = 1; key < keys; ++key) {
        largest = max(largest, scoreAt(key));
    }
    return largest;
}

void main() {
    float largest = largestScore();
    if (int(gl_FragCoord.x) == 0) {
        statistic = largest;
        return;
    }
    float sum = 0.0;
    for (int key = 0; key < keys; ++key) {
        sum += exp(scoreAt(key) - largest);
    }
    statistic = sum;
}
