// y[o,a,i] = exp(x[o,a,i] − m) / Σ_k exp(x[o,k,i] − m),  m = max_k x[o,k,i]

float share(float distance, float sum) {
    return exp(distance) / sum;
}
