"""From a dataclass of options to what typer calls."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Annotated, Any, get_origin

from nlpfeat.cli.console import guarded
from nlpfeat.cli.options import CommonOptions


def as_command(options: type[CommonOptions]) -> Callable[..., None]:
    """Return the function that takes each field as an option, and runs what the fields make.

    The docstring of the dataclass is the help. Options stand in the order of its classes, its
    own first; a field that a class only gives another default stays where and what it was.
    """
    by_name = {field.name: field for field in fields(options)}
    parameters = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=_default(by_name[name]), annotation=hint
        )
        for name, hint in _hints(options).items()
        if name in by_name
    ]

    def command(**given: Any) -> None:
        with guarded(quiet=given["quiet"], debug=given["debug"]):
            options(**given).run()

    command.__doc__ = options.__doc__
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def epilog(options: type[CommonOptions]) -> str:
    r"""Return the examples of a command, below its options; ``\b`` keeps their lines."""
    return "\n".join(["\b", "Examples:", *(f"  nlpfeat {example}" for example in options.examples)])


def _hints(options: type[CommonOptions]) -> dict[str, Any]:
    hints: dict[str, Any] = {}
    for parent in options.__mro__:
        for name, hint in inspect.get_annotations(parent).items():
            nearer = hints.pop(name, hint)
            hints[name] = nearer if get_origin(nearer) is Annotated else hint
    return hints


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default
