"""Draws of a training: each part has its own, whoever else draws, and whatever is added."""

from threading import Barrier, Thread

import numpy as np
import pytest
import torch
from estimators import DOCUMENTS, LABELS
from prior_networks import ACTIVE, CLASSES, built
from prior_networks import read as training_text

from nlpfeat import AttentionClassifier
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._drawing import Drawing, start_drawing
from nlpfeat.priors import KeyPrior, WidePrior

CPU = torch.device("cpu")
WIDE = WidePrior(word_ngrams=None, dropout=0.5)


def seeds(network, seed=3):
    start_drawing(network, seed, CPU)
    return [
        part.generator.initial_seed() for part in network.modules() if isinstance(part, Drawing)
    ]


def learned(seed):
    classifier = AttentionClassifier(
        d_model=16, n_heads=2, n_layers=1, min_df=1, batch_size=3, max_epochs=12, random_state=seed,
        priors=[WIDE],
    )  # fmt: skip
    return classifier.fit(DOCUMENTS, LABELS)._weights


def test_threads_do_not_take_each_others_draws():
    wanted = [learned(0), learned(1)]
    found = [None, None]
    together = Barrier(2)

    def learn(place):
        together.wait()
        found[place] = learned(place)

    threads = [Thread(target=learn, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


def test_no_generator_of_the_process_is_used(monkeypatch):
    wanted = learned(0)
    before = torch.get_rng_state()

    def refuse(*_, **__):
        raise AssertionError("a generator that all share")

    for name in ("manual_seed", "seed", "set_rng_state", "initial_seed"):
        monkeypatch.setattr(torch.random, name, refuse)
        monkeypatch.setattr(torch, name, refuse)
    monkeypatch.setattr(torch.random, "fork_rng", refuse)
    # Whoever draws in between changes nothing.
    original = torch.optim.AdamW.step

    def step(self, *arguments):
        torch.rand(1)
        return original(self, *arguments)

    monkeypatch.setattr(torch.optim.AdamW, "step", step)
    assert learned(0) == wanted
    assert not torch.equal(torch.get_rng_state(), before)  # of the draws in between


def test_each_part_has_its_own_seed():
    own = seeds(built([WIDE]))
    # The embedding and the pooling share one dropout; tokens; two layers; the wide part.
    assert len(own) == len(set(own)) == 5
    assert seeds(built([WIDE])) == own
    assert not set(seeds(built([WIDE]), seed=4)) & set(own)


@pytest.mark.parametrize("name", ACTIVE)
def test_a_prior_behind_all_others_changes_nothing_that_is_drawn(name):
    fewer, more = built([WIDE]), built([WIDE, ACTIVE[name]])
    assert seeds(more)[:5] == seeds(fewer)


def masked_tokens(priors, n_steps=3):
    """Return which tokens are masked in each step."""
    network = built(priors, token_dropout=0.5, dropout=0.3).train()
    seen = []
    network.masking.register_forward_hook(lambda *call: seen.append(call[2].clone()))
    start_drawing(network, 7, CPU)
    said = [prior.fit(training_text(), CLASSES, 2, 0).inputs(training_text()) for prior in priors]
    maker = BatchMaker(training_text().tokens, len(training_text().vocabulary), priors=said)
    for _ in range(n_steps):
        network(maker.batch(np.arange(len(maker))))
    return seen


def test_a_wide_part_does_not_change_which_tokens_are_masked():
    alone = masked_tokens([])
    assert not torch.equal(alone[0], alone[1])
    for priors in ([WIDE], [KeyPrior(), WIDE]):
        for wanted, found in zip(alone, masked_tokens(priors)):
            assert torch.equal(wanted, found)
