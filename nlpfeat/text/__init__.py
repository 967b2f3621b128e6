"""From text to integers: corpus, segmenters, normalization, vocabulary, token ids."""
