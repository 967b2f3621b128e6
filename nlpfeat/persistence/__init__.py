"""Save fitted estimators, and load them, without pickle."""

from nlpfeat.persistence.loading import load
from nlpfeat.persistence.saving import save

__all__ = ["load", "save"]
