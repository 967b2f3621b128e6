"""What holds for all tests."""

from hypothesis import settings

# A busy machine is no failure: what must be quick has a test of its own.
settings.register_profile("nlpfeat", deadline=None)
settings.load_profile("nlpfeat")
