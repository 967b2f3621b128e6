"""How well small Transformers train within a thousand steps: the experiment of the notes."""
