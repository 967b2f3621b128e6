"""What the notes varied, row by row, and what newer practice adds to their recipe."""

from dataclasses import dataclass, replace

#: Half the mean squared error of three answers, in closed form: nothing, the mean of the target,
#: and the best linear function of the input. Whoever is below the last has learned the square.
REFERENCE_LOSSES = {"zero": 5.5, "mean of the target": 3.5, "best linear function": 1.0}

TRAINED = REFERENCE_LOSSES["best linear function"]
"""A run counts as trained when its loss is below this."""

N_STEPS, N_TEST = 1_000, 1_000
LENGTH, D_INPUT = 10, 50
D_MODEL, N_HEADS, D_FEED_FORWARD, DROPOUT = 256, 4, 2048, 0.1


@dataclass(frozen=True)
class Setting:
    """One row of a table of the notes.

    Parameters
    ----------
    table : int
        From 1 to 5, in the order of the notes.
    name : str
        As the notes have it.
    notes_loss : float
        What the notes print: half the mean squared error, with dropout on.
    learning_rate : float
    warmup : int
        Steps in which the rate rises to ``learning_rate``; it stays there.
    initialization : str
        A key of ``INITIALIZATIONS``: what matrices are drawn from after the network was made;
        "default" leaves it as it is.
    spread : float
        Standard deviation of "normal", half width of "uniform".
    n_layers, batch_size : int
    """

    table: int
    name: str
    notes_loss: float
    learning_rate: float = 1e-3
    warmup: int = 0
    initialization: str = "default"
    spread: float = 0.0
    n_layers: int = 6
    batch_size: int = 16

    @property
    def training(self) -> tuple[object, ...]:
        """What a run depends on: two rows of the notes may be one training."""
        return (
            self.learning_rate, self.warmup, self.initialization, self.spread, self.n_layers,
            self.batch_size,
        )  # fmt: skip

    @property
    def draws(self) -> bool:
        """Whether what it draws from is defined for vectors, too, and not for matrices alone."""
        return self.initialization in ("normal", "uniform")


def _initialized(name: str, loss: float, n_layers: int = 6) -> Setting:
    """Return a row of the tables of initializations, which have the short warm-up."""
    kind, *numbers = name.split()
    spread = float(numbers[0].removeprefix("+-")) if numbers else 0.0
    table, ending = (2, "") if n_layers == 6 else (3, f" {n_layers} layer")
    return Setting(
        table, name + ending, loss, warmup=10, initialization=kind, spread=spread, n_layers=n_layers
    )


SETTINGS: list[Setting] = [
    Setting(1, "lr=1e-3, no warm-up", 3.37),
    Setting(1, "lr=1e-4, no warm-up", 0.56, learning_rate=1e-4),
    Setting(1, "lr=1e-5, no warm-up", 2.31, learning_rate=1e-5),
    Setting(1, "lr=1e-3, 1% warm-up", 0.10, warmup=10),
    _initialized("default", 0.097),
    _initialized("xavier_uniform", 0.191),
    _initialized("xavier_normal", 0.189),
    _initialized("normal 0.02", 0.66),
    _initialized("normal 0.002", 2.95),
    _initialized("normal 0.1", 3.50),
    _initialized("uniform +-0.05", 3.50),
    _initialized("uniform +-0.01", 0.424),
    _initialized("uniform +-0.001", 3.44),
    _initialized("kaiming_uniform", 3.50),
    _initialized("kaiming_normal", 3.50),
    _initialized("kaiming_normal", 0.524, n_layers=2),
    _initialized("kaiming_uniform", 0.531, n_layers=2),
    _initialized("xavier_uniform", 0.124, n_layers=2),
    _initialized("default", 0.092, n_layers=2),
    _initialized("uniform +-0.01", 0.117, n_layers=2),
    Setting(4, "lr=1e-3, no warm-up 2 layer", 0.086, n_layers=2),
    Setting(4, "lr=1e-4, no warm-up 2 layer", 0.614, learning_rate=1e-4, n_layers=2),
    # The notes do not say how many layers; the row before it has two.
    Setting(5, "lr=1e-3, no warm-up batch_size 64", 0.037, n_layers=2, batch_size=64),
]

TWO_LAYERS = next(each for each in SETTINGS if each.n_layers == 2 and each.warmup == 0)
"""What is measured beside the kept runs: two layers as torch makes them, the rate 1e-3."""


@dataclass(frozen=True)
class Recipe:
    """How the network is built and trained, whatever the setting.

    Parameters
    ----------
    name : str
    is_cloned : bool
        Whether all layers start as copies of one, as ``nn.TransformerEncoder`` makes them. Where
        the setting draws matrices anew, only their biases stay copies.
    norm : {"post", "pre", "none"}
        Where a layer has its norms; "pre" has one more behind the last layer.
    residual : {"plain", "scaled", "deepnorm", "tfixup"}
        What keeps the sum of layers small at the start: nothing; projections into the sum divided
        by √(2 · layers) (Radford et al., 2019); the sum of before multiplied by (2 · layers)^¼ and
        projections by (8 · layers)^-¼ (Wang et al., 2022); projections multiplied by
        0.67 · layers^-¼ without any norm (Huang et al., 2020). These are the gains of the papers;
        what is multiplied is drawn as the setting says, not as there.
    normalizes_queries : bool
        Whether queries and keys have length 1, and their products a learned scale, which begins at
        log2(L² − L) for L tokens (Henry et al., 2020).
    attends : bool
        Without attention a layer is its feed-forward part alone: the control.
    optimizer : {"adam", "adamw", "muon", "prodigy"}
        "adamw" has the second moment .95 and the weight decay .01; "muon" moves the matrices of
        layers along orthogonal directions (Jordan et al., 2024), queries, keys and values as one
        matrix, and the rest as "adamw"; "prodigy" begins with the rate of the setting and raises it
        by how far the weights have come (Mishchenko and Defazio, 2023).
    clip : float or None
        Longest gradient.
    warmup : int or None
        In place of the warm-up of the setting.
    draws_vectors : bool
        Whether "normal" and "uniform" also draw biases and the gains of norms; the notes do not
        say what they drew. The others are defined for matrices alone.
    """

    name: str
    is_cloned: bool = False
    norm: str = "post"
    residual: str = "plain"
    normalizes_queries: bool = False
    attends: bool = True
    optimizer: str = "adam"
    clip: float | None = None
    warmup: int | None = None
    draws_vectors: bool = False

    def adapted(self, setting: Setting) -> Setting:
        """Return a setting as it is trained: with the warm-up of the recipe where it has one."""
        return setting if self.warmup is None else replace(setting, warmup=self.warmup)

    @property
    def description(self) -> str:
        """What it does, in words.

        Examples
        --------
        >>> NOTES.description
        'layers begin as copies of one; Adam'
        """
        layers = "begin as copies of one" if self.is_cloned else "are drawn each on its own"
        parts = [
            f"layers {layers}",
            "" if self.attends else "no attention, nor its sum and norm: the feed-forward parts "
            "alone",
            _NORMS[self.norm],
            _RESIDUALS[self.residual],
            "queries and keys of length 1, their products times a learned scale, at first "
            "log2(L² − L) for L tokens" if self.normalizes_queries else "",
            _OPTIMIZERS[self.optimizer],
            "" if self.clip is None else f"gradients no longer than {self.clip:g}",
            "" if self.warmup is None else f"the rate rises in {self.warmup} steps",
            "“normal” and “uniform” draw biases and gains of norms, too"
            if self.draws_vectors else "",
        ]  # fmt: skip
        return "; ".join(filter(None, parts))

    @property
    def with_vectors(self) -> "Recipe":
        """The same where vectors are drawn too; it differs in rows of "normal" and "uniform"."""
        return replace(self, name=f"{self.name}{TOO}", draws_vectors=True)


_NORMS = {
    "post": "",
    "pre": "norms before each part, and one behind the last layer",
    "none": "no norms",
}
_RESIDUALS = {
    "plain": "",
    "scaled": "matrices that write into the sum divided by √(2 · layers) at first",
    "deepnorm": "the sum of before times (2 · layers)^¼, matrices times (8 · layers)^−¼ at first",
    "tfixup": "matrices times 0.67 · layers^−¼ at first",
}
_OPTIMIZERS = {
    "adam": "Adam",
    "adamw": "AdamW with β₂ = .95 and a weight decay of .01",
    "muon": "Muon for the matrices of layers, AdamW for the rest",
    "prodigy": "Prodigy with β₂ = .95, which begins with the rate of the row and raises it",
}

TOO = ", vectors drawn too"
"""Behind the name of a recipe, and of what is counted, in the second reading of the notes."""

NOTES = Recipe("notes", is_cloned=True)

VECTORS = NOTES.with_vectors
"""The other reading of the notes."""

STEADY = Recipe(
    "pre-norm, scaled, QK-norm, clipped, warm-up 100", norm="pre", residual="scaled",
    normalizes_queries=True, optimizer="adamw", clip=1.0, warmup=100,
)  # fmt: skip
"""What newer practice adds, together: the recipe that ought to train every row."""

RATE_FREE = replace(STEADY, name="pre-norm, scaled, QK-norm, clipped, Prodigy", optimizer="prodigy")
"""The same with a rate that is found out, added when a thousand steps of 1e-5 were too few."""

NEWEST = (STEADY, RATE_FREE)
"""The recipes of which it is asked whether they train every row."""

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        NOTES,
        VECTORS,
        Recipe("independent layers"),
        Recipe("warm-up 100", warmup=100),
        Recipe("pre-norm", norm="pre"),
        Recipe("pre-norm, scaled residuals", norm="pre", residual="scaled"),
        Recipe("DeepNorm", residual="deepnorm"),
        Recipe("T-Fixup", norm="none", residual="tfixup"),
        Recipe("QK-norm", normalizes_queries=True),
        Recipe("AdamW, clipped", optimizer="adamw", clip=1.0),
        Recipe("Muon", optimizer="muon"),
        Recipe("without attention", attends=False),
        *NEWEST,
        RATE_FREE.with_vectors,
    )
}
"""The recipe of the notes, and how else it can be read; then what newer practice adds, with which
each layer is drawn on its own."""
