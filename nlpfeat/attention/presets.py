"""The attentions that a history of attention names, one after the other."""

from nlpfeat.attention.spec import AttentionSpec

PRESETS: dict[str, AttentionSpec] = {
    # v·tanh(W[x_i, x_j]), one head: Bahdanau, Cho and Bengio (2015).
    "additive": AttentionSpec(score="additive", n_heads=1),
    # q_i·k_j / √d, one head: Luong, Pham and Manning (2015), scaled as by Vaswani et al. (2017).
    "dot_product": AttentionSpec(n_heads=1),
    # One softmax for each dimension: Shen et al. (2018), DiSAN.
    "multi_dimensional": AttentionSpec(score="multidim", n_heads=1),
    # Vaswani et al. (2017).
    "multi_head": AttentionSpec(n_heads=8),
    # Shazeer (2019).
    "multi_query": AttentionSpec(n_heads=8, n_kv_heads=1),
    # Ainslie et al. (2023).
    "grouped_query": AttentionSpec(n_heads=8, n_kv_heads=2),
}
"""By name; ``dataclasses.replace`` changes a part, such as ``n_heads``."""
