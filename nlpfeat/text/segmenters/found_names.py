"""The name under which another process finds the same code, where there is one."""

import sys
from types import MethodType

UNIDENTIFIED = "<unidentified>"
"""In an identity: nothing tells this segmenter from others that cut in another way."""


def found_name(code: object) -> str:
    """Return the name of a function, method or class.

    Parameters
    ----------
    code : function, bound method, class or callable object

    Returns
    -------
    str
        With its module. `UNIDENTIFIED` stands first where the name does not lead back to it: for a
        lambda, an inner function, a ``functools.partial``, and for what belongs to an object with
        settings of its own, since another object cuts in another way.

    Examples
    --------
    >>> import jieba
    >>> found_name(jieba.lcut)
    'jieba.lcut'
    >>> found_name(jieba.Tokenizer().lcut)
    '<unidentified> jieba.Tokenizer.lcut'
    >>> found_name(lambda text: text.split("，")).split()[0]
    '<unidentified>'
    """
    module, short = getattr(code, "__module__", None), getattr(code, "__name__", "")
    for name in (getattr(code, "__qualname__", short), short):
        if name and _is_found(code, module, name.split(".")):
            return f"{module}.{name}"
    owner = getattr(code, "__self__", None)
    if owner is None:
        kind = code if hasattr(code, "__qualname__") else type(code)
        return f"{UNIDENTIFIED} {module}.{getattr(kind, '__qualname__', '')}"
    is_class = isinstance(owner, type)
    name = f"{found_name(owner if is_class else type(owner))}.{short}"
    is_told = is_class or is_bare(owner) or name.startswith(UNIDENTIFIED)
    return name if is_told else f"{UNIDENTIFIED} {name}"


def is_bare(instance: object) -> bool:
    """Tell whether an object of Python code holds nothing but its class.

    Examples
    --------
    >>> class Cutter: pass
    >>> is_bare(Cutter()), is_bare("词")
    (True, False)
    """
    # What has no __dict__ is made of other code, whose settings nobody sees.
    return getattr(instance, "__dict__", None) == {} and object.__getstate__(instance) is None


def _is_found(code: object, module: str | None, path: list[str]) -> bool:
    found: object = sys.modules.get(module or "")
    for part in path:
        found = getattr(found, part, None)
    # A bound method is made anew at each look.
    return found is code or (isinstance(code, MethodType) and found == code)
