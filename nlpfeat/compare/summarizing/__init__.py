"""From finished runs to what a report shows: figures, intervals, and what they are worth."""
