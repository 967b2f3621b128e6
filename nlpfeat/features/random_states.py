"""What ``random_state`` says: the seed of whatever draws."""

from sklearn.utils import check_random_state

from nlpfeat.errors import InvalidParameterError

_HIGHEST = 2**31 - 1


def check_seed(random_state: object) -> int:
    """Return a seed for libraries that take a number.

    Parameters
    ----------
    random_state : int, RandomState or None
        An integer gives the same seed each time; a RandomState moves on; None gives any.

    Returns
    -------
    int
        From 0 to 2**31 - 2.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> check_seed(0) == check_seed(0), check_seed(0) == check_seed(1)
    (True, False)
    """
    try:
        draw = check_random_state(random_state)
    except ValueError as error:
        raise InvalidParameterError(
            f"random_state must be an integer, a numpy RandomState or None. Got {random_state!r}."
        ) from error
    return int(draw.randint(_HIGHEST))
