"""What figures were measured on, in general words."""

import os


def machine(device: str = "cpu") -> str:
    """Return what a training of one thread runs on.

    Parameters
    ----------
    device : str, default "cpu"
        As torch names it. A GPU is told by its name.

    Examples
    --------
    >>> machine().endswith("CPU, one thread")
    True
    """
    if device != "cpu":
        import torch

        return torch.cuda.get_device_name(device) if device.startswith("cuda") else device
    count = os.cpu_count() or 1
    return f"{count} core{'s' if count > 1 else ''}, CPU, one thread"
