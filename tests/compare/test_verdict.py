"""The verdict: who is ahead, by how much, and nobody where the documents do not decide."""

from dataclasses import replace
from math import nan

import pytest

from nlpfeat.compare.findings import (
    Difference,
    Estimate,
    Findings,
    ModelFacts,
    Provenance,
    Resolution,
)
from nlpfeat.compare.text_table import summary_of
from nlpfeat.compare.verdict import verdict

BASE = "nbsvm"
FAMILIES = {BASE: "classical", "attention": "attention", "text-cnn": "network"}


def estimate(name, mean, half=0.02, metric="accuracy"):
    return Estimate(name, metric, mean, 0.0, mean - half, mean + half, 3)


def difference(model, reference, value, outcome, p=0.0001, half=0.02):
    return Difference(model, reference, "accuracy", value, value - half, value + half,
                      "mcnemar chi2", p, p, None, None, None, outcome)  # fmt: skip


@pytest.fixture
def said(made_findings):
    """Say the verdict of accuracies and of rows (model, reference, outcome)."""

    def say(accuracies, rows, paired=0.05, p=0.0001):
        return verdict(made_findings(accuracies, rows, paired, p))

    return say


@pytest.fixture
def made_findings():
    def make(accuracies, rows, paired=0.05, p=0.0001):
        return Findings(
            Provenance("", "", "", "", 0, 0, {}, {}, {}),
            [ModelFacts(name, FAMILIES.get(name, "classical"), "", "", 1) for name in accuracies],
            [],
            [estimate(name, mean) for name, mean in accuracies.items()],
            [difference(model, reference, accuracies[model] - accuracies[reference], outcome, p)
             for model, reference, outcome in rows],
            Resolution(1_690, max(accuracies.values(), default=nan), 0.1, 0.02, paired, 0.01),
        )  # fmt: skip

    return make


def test_the_first_is_ahead_of_every_other_model(said):
    told = said(
        {"tfidf": 0.8, BASE: 0.9, "attention": 0.7},
        [("tfidf", BASE, "worse"), ("attention", BASE, "worse")],
    )
    assert told[0] == (
        "nbsvm has the highest accuracy, 90.0 % [88.0, 92.0], and is ahead of every other model; "
        "of the next one, tfidf, by 10.0 points [8.0, 12.0], p < .001."
    )
    assert told[1] == (
        "Against nbsvm (the best classical model on the dev parts), behind: tfidf and attention."
    )
    assert told[2] == ("Attention alone is behind nbsvm by 20.0 points [18.0, 22.0], p < .001.")
    assert told[3].startswith("These 1,690 test documents can tell differences in accuracy from")
    assert "about 5.0 points on" in told[3]
    assert told[4].startswith("All networks here were trained from nothing")


def test_two_models(said):
    told = said({BASE: 0.8, "attention": 0.9}, [("attention", BASE, "better")])
    assert told[0] == (
        "attention has the highest accuracy, 90.0 % [88.0, 92.0], and is ahead of nbsvm by "
        "10.0 points [8.0, 12.0], p < .001."
    )
    assert told[1].startswith("These 1,690")  # the headline has said the rest
    told = said({BASE: 0.89, "attention": 0.9}, [("attention", BASE, "undecided")])
    assert told[0] == (
        "No winner: attention, 90.0 % [88.0, 92.0], and nbsvm, 89.0 % [87.0, 91.0], lie within "
        "what 1,690 documents can resolve (5.0 points)."
    )


def test_the_best_ones_lie_within_the_resolution(said):
    told = said(
        {BASE: 0.89, "attention": 0.9, "tfidf": 0.88, "lda": 0.6},
        [("attention", BASE, "undecided"), ("tfidf", BASE, "undecided"), ("lda", BASE, "worse"),
         ("tfidf", "attention", "undecided"), ("lda", "attention", "worse")],
        p=0.4,
    )  # fmt: skip
    assert told[0] == (
        "No winner: the best three lie within what 1,690 documents can resolve (5.0 points); the "
        "highest accuracy is that of attention, 90.0 % [88.0, 92.0]."
    )
    assert "not told apart: attention and tfidf; behind: lda." in told[1]
    assert told[2] == (
        "Attention alone is not told apart from nbsvm: +1.0 points [−1.0, +3.0], p = .40."
    )


def test_beyond_the_resolution_but_not_shown_is_open(said):
    told = said({BASE: 0.84, "attention": 0.9}, [("attention", BASE, "undecided")], p=0.0496)
    assert told[0] == (
        "No winner: attention has the highest accuracy, 90.0 % [88.0, 92.0], but whether it is "
        "ahead of nbsvm is open on 1,690 documents: of nbsvm by 6.0 points [4.0, 8.0], p = .050."
    )


def test_ahead_of_the_reference_and_of_those_behind_it_but_not_of_all(said):
    told = said(
        {BASE: 0.8, "text-cnn": 0.9, "bilstm": 0.89, "lda": 0.6},
        [("text-cnn", BASE, "better"), ("bilstm", BASE, "better"), ("lda", BASE, "worse")],
    )
    assert told[0] == (
        "text-cnn has the highest accuracy, 90.0 % [88.0, 92.0], and is ahead of nbsvm by "
        "10.0 points [8.0, 12.0], p < .001."
    )
    assert told[1] == "Whether it is ahead of bilstm, too, is open."


def test_ahead_of_all_by_way_of_the_reference(said):
    rows = [("text-cnn", BASE, "better"), ("lda", BASE, "undecided")]
    told = said({"text-cnn": 0.9, "lda": 0.85, BASE: 0.8}, rows)
    assert told[1] == "Whether it is ahead of lda, too, is open."
    rows[1] = ("lda", BASE, "worse")
    told = said({"text-cnn": 0.9, BASE: 0.8, "lda": 0.6}, rows)
    assert told[0].endswith(
        "and is ahead of every other model; of the next one, nbsvm, by 10.0 points [8.0, 12.0], "
        "p < .001."
    )
    # tfidf is behind lda, which is behind nbsvm: one model between two is looked at, not two.
    rows += [("tfidf", "lda", "worse"), (BASE, "lda", "better")]
    told = said({"text-cnn": 0.9, "tfidf": 0.5, BASE: 0.8, "lda": 0.6}, rows)
    assert told[0].endswith("by 10.0 points [8.0, 12.0], p < .001.")
    assert told[1] == "Whether it is ahead of tfidf, too, is open."


def test_priors_stand_beside_their_placebos(said):
    told = said(
        {BASE: 0.9, "attention+pmi": 0.8, "attention+pmi-placebo": 0.85},
        [("attention+pmi", BASE, "worse"), ("attention+pmi-placebo", BASE, "worse"),
         ("attention+pmi", "attention+pmi-placebo", "worse")],
    )  # fmt: skip
    assert told[2] == (
        "Priors beside the same prior of the wrong words: attention+pmi is behind its placebo by "
        "5.0 points [3.0, 7.0], p < .001."
    )


def test_models_that_say_the_same(made_findings):
    rows = [("attention", BASE, "equivalent"), ("lda", BASE, "worse")]
    found = made_findings({BASE: 0.9, "attention": 0.9, "lda": 0.5}, rows)
    told = verdict(found)
    assert "Attention alone is as good as nbsvm: 0.0 points [−2.0, +2.0], p < .001." in told
    assert "no lead below that is called one. As good means within ±1.0 points. Int" in told[3]
    same = replace(found.differences[0], low=0.0, high=0.0, says_the_same=True)
    told = verdict(replace(found, differences=[same, found.differences[1]]))
    assert "Attention alone gave the same predictions as nbsvm on every document." in told
    rows[0] = ("attention", BASE, "undecided")
    told = verdict(made_findings({BASE: 0.9, "attention": 0.9, "lda": 0.5}, rows))
    assert not any("As good means" in each for each in told)


def test_no_sentence_says_better_by_less_than_nothing(said):
    for outcome in ("better", "worse", "equivalent", "undecided"):
        sign = 1 if outcome == "better" else -1
        told = " ".join(said(
            {BASE: 0.8, "attention": 0.8 + 0.1 * sign, "lda": 0.5},
            [("attention", BASE, outcome), ("lda", BASE, "worse")],
        ))  # fmt: skip
        assert "by −" not in told
        assert "-0" not in told
        assert "-1" not in told


def test_many_names_are_counted(said):
    accuracies = {f"m{place}": 0.9 - place / 1_000 for place in range(20)}
    told = said(accuracies, [(name, "m0", "undecided") for name in list(accuracies)[1:]])
    assert told[0].startswith("No winner: the best 20 lie within")
    assert "m1, m2, m3, m4, m5 and 14 others" in told[1]


class TestEdges:
    def test_nothing(self, said):
        assert said({}, []) == ["No model was tested, so there is nothing to say."]
        assert said({BASE: nan}, []) == ["No model was tested, so there is nothing to say."]

    def test_a_model_without_an_interval(self, made_findings):
        found = made_findings({BASE: 0.9}, [])
        bare = replace(found, estimates=[replace(found.estimates[0], low=None, high=None)])
        assert verdict(bare) == ["nbsvm has an accuracy of 90.0 %; nothing was compared with it."]
        sure = replace(found.estimates[0], mean=1.0, low=1.0, high=1.0)  # right in every resample
        assert "100.0 % [100.0, 100.0]" in verdict(replace(found, estimates=[sure]))[0]

    def test_one_model(self, said):
        assert said({"1.5": 0.9}, []) == [
            "1.5 has an accuracy of 90.0 % [88.0, 92.0]; nothing was compared with it."
        ]

    def test_models_of_different_documents(self, said):
        (told,) = said({BASE: 0.8, "lda": 0.9}, [])
        assert told == (
            "No winner: no two models were tested on the same documents with the same seeds. The "
            "highest accuracy is that of lda, 90.0 % [88.0, 92.0]."
        )

    def test_a_model_of_other_documents_wins_nothing(self, said, made_findings):
        rows = [("attention", BASE, "worse")]
        found = made_findings({"lucky": 0.99, BASE: 0.9, "attention": 0.8}, rows)
        assert verdict(found)[0].startswith("nbsvm has the highest accuracy")
        bare = replace(found.estimates[0], low=None, high=None)
        lines = summary_of(replace(found, estimates=[bare, *found.estimates[1:]])).splitlines()
        row = next(line for line in lines if line.startswith("lucky"))
        assert row.split() == ["lucky", "99.0", *["–"] * 6]

    def test_a_model_without_a_number(self, said):
        told = said({BASE: 0.9, "attention": nan}, [("attention", BASE, "undecided")])
        assert told[0].startswith("nbsvm has an accuracy of 90.0 %")

    def test_rows_of_models_without_estimates_are_passed_over(self, made_findings):
        found = made_findings({BASE: 0.9, "attention": 0.8}, [("attention", BASE, "worse")])
        assert len(verdict(replace(found, estimates=found.estimates[:1]))) == 1

    def test_names_that_steer_a_terminal(self, made_findings):
        name = "a\n\x1b[31m\u202eb"
        found = made_findings({name: 0.9, "attention": 0.8}, [("attention", name, "worse")])
        lines = summary_of(found).splitlines()
        assert lines[0].startswith("a  [31m b has the highest accuracy")
        assert all(line.isprintable() for line in lines)

    def test_numbers_that_are_none_in_the_table(self, made_findings):
        found = made_findings({BASE: 0.9, "attention": 0.8}, [("attention", BASE, "worse")])
        loss = estimate(BASE, nan, metric="log_loss_scaled")
        text = summary_of(replace(found, estimates=[*found.estimates, loss]))
        assert "nan" not in text
