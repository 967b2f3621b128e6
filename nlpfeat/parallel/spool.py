"""Arrays that grow on disk and are read back by memory map."""

import tempfile
from types import TracebackType

import numpy as np
from numpy.typing import DTypeLike, NDArray


class ArraySpool:
    """One array in an unnamed temporary file; it leaves nothing behind, whatever happens.

    Parameters
    ----------
    dtype : data type of the array
    folder : path, default None
        Where the file lies; None takes the system's folder for temporary files (``TMPDIR``).

    Examples
    --------
    >>> import numpy as np
    >>> spool = ArraySpool(np.int32)
    >>> spool.append(np.array([1, 2, 3]))
    >>> spool.append(np.array([4]))
    >>> len(spool), spool.read(1, 4).tolist()
    (4, [2, 3, 4])
    >>> spool.close()
    """

    def __init__(self, dtype: DTypeLike, folder: str | None = None) -> None:
        self._dtype = np.dtype(dtype)
        self._length = 0
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by close()

    def __len__(self) -> int:
        """Return the number of elements."""
        return self._length

    def append(self, array: NDArray[np.generic]) -> None:
        """Write an array behind what is there.

        Raises
        ------
        OSError
            When the disk is full.
        """
        self._file.write(np.ascontiguousarray(array, dtype=self._dtype).data)
        self._length += len(array)

    def read(self, start: int, stop: int) -> NDArray[np.generic]:
        """Return the elements from ``start`` up to ``stop`` as a read-only memory map.

        The map is given back when the array is no longer used, so a loop over the file holds
        one part at a time.
        """
        if stop <= start:
            return np.empty(0, dtype=self._dtype)
        self._file.flush()
        offset = start * self._dtype.itemsize
        return np.memmap(self._file, dtype=self._dtype, mode="r", offset=offset,
                         shape=(stop - start,))  # fmt: skip

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def __enter__(self) -> "ArraySpool":
        """Return the spool; it is closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove the file."""
        self.close()
