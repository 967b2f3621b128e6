"""Where a network is computed, and what goes wrong there."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from nlpfeat.errors import InvalidParameterError

#: What torch says, in a RuntimeError of no class of its own, where memory ends.
_NO_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def resolve_device(device: object) -> torch.device:
    """Return the device of a name; "auto" is the first of cuda, mps and cpu that is there.

    Raises
    ------
    InvalidParameterError
        For a name that torch does not know, and for a device that is not there.

    Examples
    --------
    >>> resolve_device("cpu")
    device(type='cpu')
    """
    if isinstance(device, str) and device == "auto":
        has_mps = torch.backends.mps.is_available()
        return torch.device("cuda" if torch.cuda.is_available() else "mps" if has_mps else "cpu")
    found = _parsed(device)
    if found is None or found.type not in ("cpu", "cuda", "mps"):
        raise InvalidParameterError(
            "device must be 'auto', 'cpu', 'cuda' (or one of several, such as 'cuda:1') or 'mps'. "
            f"Got {device!r}."
        )
    if _is_there(found):
        return found
    raise InvalidParameterError(
        f"device={device!r} is not there: torch sees {_seen()}. Use device='auto', or install a "
        "torch that is built for it."
    )


@contextmanager
def memory_errors() -> Iterator[None]:
    """Raise an error that says what to lower where memory ends.

    Raises
    ------
    InvalidParameterError
        When the memory of the device, or of the machine, is used up.
    """
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        is_known = any(words in str(error) for words in _NO_MEMORY)
        if isinstance(error, RuntimeError) and not is_known:
            raise
        raise InvalidParameterError(
            "The memory does not hold this network at work. Lower batch_size first, then "
            "max_length (scores grow with its square), then d_model; or use another device. "
            f"({str(error).splitlines()[0] if str(error) else type(error).__name__})"
        ) from error


@contextmanager
def own_randomness(device: torch.device, seed: int) -> Iterator[None]:
    """Draw from a seed within the block; what the process draws afterwards is not touched."""
    accelerated = device.type != "cpu"
    index = [device.index or 0] if accelerated else []
    device_type = device.type if accelerated else "cuda"
    with torch.random.fork_rng(devices=index, device_type=device_type):
        # Not torch.manual_seed: it would seed all devices, those too that are not forked.
        torch.default_generator.manual_seed(seed)
        if device.type == "cuda":
            torch.cuda.default_generators[index[0]].manual_seed(seed)
        elif device.type == "mps":
            torch.mps.manual_seed(seed)
        yield


def _parsed(device: object) -> torch.device | None:
    """Return the device of a name, None when torch knows none."""
    if not isinstance(device, str | torch.device):
        return None
    try:
        return torch.device(device)
    except RuntimeError:
        return None


def _is_there(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count()
    return device.type == "cpu" or torch.backends.mps.is_available()


def _seen() -> str:
    """Name the devices that there are."""
    cuda = [f"cuda:{number}" for number in range(torch.cuda.device_count())]
    return ", ".join([*cuda, *(["mps"] if torch.backends.mps.is_available() else []), "cpu"])
