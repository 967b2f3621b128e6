import pytest
import torch

from nlpfeat.classifiers._devices import is_fast_in_bfloat16, memory_errors, resolve_device
from nlpfeat.errors import InvalidParameterError


def pretend(monkeypatch, n_cuda=0, has_mps=False):
    """Make torch see these devices."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: n_cuda > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: n_cuda)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: n_cuda - 1)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: has_mps)


@pytest.mark.parametrize(
    ("n_cuda", "has_mps", "wanted"),
    [(0, False, "cpu"), (0, True, "mps"), (1, False, "cuda:0"), (2, True, "cuda:1")],
)
def test_auto_takes_the_first_of_cuda_mps_and_cpu(monkeypatch, n_cuda, has_mps, wanted):
    pretend(monkeypatch, n_cuda, has_mps)
    assert resolve_device("auto") == torch.device(wanted)


def test_devices_that_are_there(monkeypatch):
    pretend(monkeypatch, n_cuda=2, has_mps=True)
    for name in ("cpu", "cuda:0", "cuda:1", "mps"):
        assert resolve_device(name) == torch.device(name)
    assert resolve_device("cuda") == torch.device("cuda:1")  # the current one, by its number


def test_a_device_is_a_text(monkeypatch):
    """No file could hold an object of torch."""
    pretend(monkeypatch, n_cuda=2)
    with pytest.raises(InvalidParameterError, match=r"Got device\(.*Give its name, 'cuda:1'\."):
        resolve_device(torch.device("cuda:1"))


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


@pytest.mark.parametrize("has_it", [True, False])
def test_half_precision_where_a_gpu_multiplies_it_itself(monkeypatch, has_it):
    asked = []

    class Current:
        def __init__(self, device):
            asked.append(device)

        def __enter__(self):
            pass

        def __exit__(self, *_):
            pass

    def is_supported(including_emulation=True):
        return including_emulation or has_it

    monkeypatch.setattr(torch.cuda, "device", Current)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", is_supported)
    assert is_fast_in_bfloat16(torch.device("cuda:1")) is has_it
    assert asked == [torch.device("cuda:1")]
    assert not is_fast_in_bfloat16(torch.device("cpu"))
    assert not is_fast_in_bfloat16(torch.device("mps"))
