"""Where a network is computed, and what goes wrong there."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from nlpfeat.errors import InvalidParameterError

#: What torch says, in a RuntimeError of no class of its own, where memory ends.
_NO_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def resolve_device(device: object) -> torch.device:
    """Return the device of a name; "auto" is the first of cuda, mps and cpu that is there.

    "cuda" is the one that is current, by its number: all that follows is on the same one, whatever
    becomes current later.

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
        device = "cuda" if torch.cuda.is_available() else "mps" if has_mps else "cpu"
    found = _parsed(device)
    if found is None or found.type not in ("cpu", "cuda", "mps"):
        # A torch.device is no text: no file could hold it.
        remedy = f" Give its name, {str(device)!r}." if isinstance(device, torch.device) else ""
        raise InvalidParameterError(
            "device must be 'auto', 'cpu', 'cuda' (or one of several, such as 'cuda:1') or 'mps'. "
            f"Got {device!r}.{remedy}"
        )
    if _is_there(found):
        is_current = found.type == "cuda" and found.index is None
        return torch.device("cuda", torch.cuda.current_device()) if is_current else found
    raise InvalidParameterError(
        f"device={device!r} is not there: torch sees {_seen()}. Use device='auto', or install a "
        "torch that is built for it."
    )


def is_memory_error(error: BaseException) -> bool:
    """Tell whether memory has ended: Python's, the machine's or that of a device."""
    if isinstance(error, RuntimeError):
        return any(words in str(error) for words in _NO_MEMORY)
    return isinstance(error, MemoryError)


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
        if not is_memory_error(error):
            raise
        raise InvalidParameterError(
            "The memory does not hold this network at work. Lower batch_size first, then "
            "max_length (attention grows with its square), then d_model; or use another device. "
            f"({str(error).splitlines()[0] if str(error) else type(error).__name__})"
        ) from error


def is_fast_in_bfloat16(device: torch.device) -> bool:
    """Tell whether a device multiplies numbers of 16 bits itself, and so faster than of 32."""
    if device.type != "cuda":
        return False
    with torch.cuda.device(device):  # what follows asks the current one
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))


def _parsed(device: object) -> torch.device | None:
    """Return the device of a name, None when torch knows none."""
    if not isinstance(device, str):
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
