// y[o,a,i] = x[o,a,i] − m − ln Σ_k exp(x[o,k,i] − m),  m = max_k x[o,k,i]

float share(float distance, float sum) {
    return distance - ln(sum);
}
