"""What holds for all tests."""

import pytest
from hypothesis import settings

# A busy machine is no failure: what must be quick has a test of its own.
settings.register_profile("nlpfeat", deadline=None)
settings.load_profile("nlpfeat")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Let reports of file names that are no text pass between processes (pytest-xdist)."""
    report = yield
    report.sections = [
        tuple(part.encode("utf-8", "backslashreplace").decode() for part in section)
        for section in report.sections
    ]
    return report
