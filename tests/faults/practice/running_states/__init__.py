"""Steps of recurrent networks, norms and running statistics, as written by hand with states in textures."""
