"""What an attention is made of: one choice for each of its slots."""

from dataclasses import dataclass, replace

from nlpfeat._names import lookup
from nlpfeat._validation import check_bool, check_int
from nlpfeat.attention.argument_checks import check_dropout
from nlpfeat.attention.heads import HeadLayout, lay_out_heads
from nlpfeat.attention.normalizers import NORMALIZERS, Normalizer
from nlpfeat.attention.positions import POSITIONS, Position
from nlpfeat.attention.scores import SCORES, Score
from nlpfeat.errors import InvalidParameterError


@dataclass(frozen=True)
class AttentionSpec:
    """An attention: score × position × heads × normalizer.

    A slot takes a name, for the usual settings of that variant, or an object with settings of its
    own, such as ``AdditiveScore(n_layers=2)``.

    Parameters
    ----------
    score : str or Score, default "dot"
        How well a key answers a query: ``SCORES``.
    position : str or Position, default "none"
        What a pair knows of its places: ``POSITIONS``.
    n_heads : int, default 4
    n_kv_heads : int, default None
        Heads of keys and values; None is ``n_heads``, 1 is multi-query attention.
    d_head : int, default None
        Width of a head; None is the width of the model divided by ``n_heads``.
    normalizer : str or Normalizer, default "softmax"
        How scores become weights: ``NORMALIZERS``.
    n_queries : int, default None
        None: every token asks (self-attention). A number: so many learned queries ask, and the
        result has as many rows (pooling).
    causal : bool, default False
        Whether a token sees only itself and what stands before.
    projection_bias : bool, default False
        Whether queries, keys and values have a bias; with one, scores are no longer bilinear.
    dropout : float, default 0.0
        Share of the weights that are dropped in training, at least 0 and below 1.

    Examples
    --------
    >>> AttentionSpec(score="additive", n_heads=1).validated(d_model=64).heads(64)
    HeadLayout(n_heads=1, n_kv_heads=1, d_head=64)
    >>> AttentionSpec(normalizer="capsule", n_queries=1).validated(64)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nlpfeat.errors.InvalidParameterError: normalizer='capsule' needs several queries: ...
    """

    score: str | Score = "dot"
    position: str | Position = "none"
    n_heads: int = 4
    n_kv_heads: int | None = None
    d_head: int | None = None
    normalizer: str | Normalizer = "softmax"
    n_queries: int | None = None
    causal: bool = False
    projection_bias: bool = False
    dropout: float = 0.0

    def score_settings(self) -> Score:
        """Return the score as an object."""
        return (
            self.score if isinstance(self.score, Score) else lookup(SCORES, self.score, "score")()
        )

    def position_settings(self) -> Position:
        """Return the position as an object."""
        if isinstance(self.position, Position):
            return self.position
        return lookup(POSITIONS, self.position, "position")()

    def normalizer_settings(self) -> Normalizer:
        """Return the normalizer as an object."""
        if isinstance(self.normalizer, Normalizer):
            return self.normalizer
        return lookup(NORMALIZERS, self.normalizer, "normalizer")()

    def heads(self, d_model: int) -> HeadLayout:
        """Return the heads in numbers, for a model of that width."""
        return lay_out_heads(d_model, self.n_heads, self.n_kv_heads, self.d_head)

    def validated(self, d_model: int) -> "AttentionSpec":
        """Return the spec with plain numbers, when its parts mean something together.

        Raises
        ------
        InvalidParameterError
            For a value that cannot be, and for parts that mean nothing together; with the reason.
        """
        layout, score = self.heads(d_model), self.score_settings()
        score.validate()
        self.normalizer_settings().validate()
        self.position_settings().validate(score.query_width(d_model, layout.d_head))
        if self.n_queries is not None:
            check_int(self.n_queries, "n_queries", minimum=1)
        checked = replace(
            self,
            causal=check_bool(self.causal, "causal"),
            projection_bias=check_bool(self.projection_bias, "projection_bias"),
            dropout=check_dropout(self.dropout),
        )
        checked._check_normalizer()
        checked._check_position()
        return checked

    def _check_normalizer(self) -> None:
        normalizer = self.normalizer_settings()
        if not normalizer.couples_queries:
            return
        if self.causal:
            why = (
                "with the past alone allowed, the only weights whose rows and columns all sum to "
                "one are those of each token on itself"
                if normalizer.name == "sinkhorn"
                else "it divides a key among all queries, so that a token would feel later ones"
            )
            raise InvalidParameterError(
                f"normalizer={normalizer.name!r} cannot be causal: {why}. Use 'softmax'."
            )
        if self.n_queries == 1:
            raise InvalidParameterError(
                f"normalizer={normalizer.name!r} needs several queries: it divides each key among "
                "them, and one query alone would take every key whole, whatever the scores. Give "
                "n_queries=2 or more, or use 'softmax'."
            )

    def _check_position(self) -> None:
        position = self.position_settings()
        if self.n_queries is not None and position.name != "none":
            raise InvalidParameterError(
                f"position={position.name!r} cannot be with n_queries={self.n_queries}: a learned "
                "query stands nowhere in the text. Use position='none'."
            )
        if self.n_queries is not None and self.causal:
            raise InvalidParameterError(
                "causal=True cannot be with n_queries: a learned query has no past. Leave one out."
            )
        score = self.score_settings()
        if position.name == "rope" and not score.is_product:
            raise InvalidParameterError(
                f"position='rope' needs a score that is a product, and score={score.name!r} is "
                "none: turning both sides leaves i−j in a product alone. Use 't5', 'shaw' or "
                "'alibi'."
            )
