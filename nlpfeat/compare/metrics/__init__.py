"""Figures of a model on documents whose classes are known; ``METRICS`` is the catalog."""

from nlpfeat.compare.metrics import accuracy, brier, calibration_error, log_loss, macro_f1
from nlpfeat.compare.metrics.metric import DocumentSums, Metric
from nlpfeat.compare.metrics.predictions import LEAST_LOG_PROBABILITY

METRICS: dict[str, Metric] = {
    "accuracy": Metric(
        "accuracy",
        accuracy.accuracy,
        is_higher_better=True,
        bounds=(0.0, 1.0),
        description="share of documents whose most probable class is their own",
        reads_probabilities=False,
        sums=DocumentSums(accuracy.terms, accuracy.figure),
    ),
    "macro_f1": Metric(
        "macro_f1",
        macro_f1.macro_f1,
        is_higher_better=True,
        bounds=(0.0, 1.0),
        description="mean over classes of F1",
        reads_probabilities=False,
        sums=DocumentSums(macro_f1.terms, macro_f1.figure),
    ),
    "log_loss": Metric(
        "log_loss",
        log_loss.log_loss,
        is_higher_better=False,
        bounds=(0.0, -LEAST_LOG_PROBABILITY),
        description="mean of -ln P(own class), in nats",
        reads_probabilities=True,
        sums=DocumentSums(log_loss.terms, log_loss.figure),
    ),
    "brier": Metric(
        "brier",
        brier.brier,
        is_higher_better=False,
        bounds=(0.0, 2.0),
        description="mean squared distance of the probabilities from what happened",
        reads_probabilities=True,
        sums=DocumentSums(brier.terms, brier.figure),
    ),
    "calibration_error": Metric(
        "calibration_error",
        calibration_error.calibration_error,
        is_higher_better=False,
        bounds=(0.0, 1.0),
        description="expected calibration error (ECE), 15 bins of equal width",
        reads_probabilities=True,
        sums=DocumentSums(calibration_error.terms, calibration_error.figure),
    ),
    "adaptive_calibration_error": Metric(
        "adaptive_calibration_error",
        calibration_error.adaptive_calibration_error,
        is_higher_better=False,
        bounds=(0.0, 1.0),
        description="expected calibration error, 15 bins of equally many documents",
        reads_probabilities=True,
        sums=DocumentSums(calibration_error.adaptive_terms, calibration_error.figure),
    ),
}

__all__ = ["METRICS", "DocumentSums", "Metric"]
