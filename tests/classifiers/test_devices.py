import pytest
import torch

from nlpfeat.classifiers._devices import memory_errors, own_randomness, resolve_device
from nlpfeat.errors import InvalidParameterError


def pretend(monkeypatch, n_cuda=0, has_mps=False):
    """Make torch see these devices."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: n_cuda > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: n_cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: has_mps)


@pytest.mark.parametrize(
    ("n_cuda", "has_mps", "wanted"),
    [(0, False, "cpu"), (0, True, "mps"), (1, False, "cuda"), (2, True, "cuda")],
)
def test_auto_takes_the_first_of_cuda_mps_and_cpu(monkeypatch, n_cuda, has_mps, wanted):
    pretend(monkeypatch, n_cuda, has_mps)
    assert resolve_device("auto") == torch.device(wanted)


def test_devices_that_are_there(monkeypatch):
    pretend(monkeypatch, n_cuda=2, has_mps=True)
    for name in ("cpu", "cuda", "cuda:1", "mps"):
        assert resolve_device(name) == torch.device(name)
    assert resolve_device(torch.device("cuda:1")) == torch.device("cuda:1")


@pytest.mark.parametrize("name", ["gpu", "", 0, None, "cpu:x", "meta", "CUDA"])
def test_unknown_devices_are_told_what_there_is(name):
    with pytest.raises(
        InvalidParameterError, match=r"device must be 'auto', 'cpu', 'cuda' .* or 'mps'\. Got "
    ):
        resolve_device(name)


@pytest.mark.parametrize(
    ("name", "n_cuda", "seen"),
    [("cuda", 0, "cpu"), ("cuda:1", 1, "cuda:0, cpu"), ("mps", 1, "cuda:0, cpu")],
)
def test_missing_devices_are_named(monkeypatch, name, n_cuda, seen):
    pretend(monkeypatch, n_cuda)
    with pytest.raises(
        InvalidParameterError, match=rf"device='{name}' is not there: torch sees {seen}\. Use"
    ):
        resolve_device(name)


def test_memory_errors_keep_what_torch_says():
    with (
        pytest.raises(InvalidParameterError, match=r"max_length.*\(CUDA out of memory\. Tried\)"),
        memory_errors(),
    ):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried\nmore")


def test_own_draws():
    before = torch.get_rng_state()
    with own_randomness(torch.device("cpu"), 3):
        first = torch.rand(4)
    with own_randomness(torch.device("cpu"), 3):
        again = torch.rand(4)
    assert torch.equal(first, again)
    assert torch.equal(first, torch.rand(4, generator=torch.Generator().manual_seed(3)))
    assert torch.equal(torch.get_rng_state(), before)
