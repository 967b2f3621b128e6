"""From a plan of a comparison to finished runs: each is done once, in a process of its own."""
