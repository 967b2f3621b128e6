"""Which features are kept, checked before any work."""

from typing import Any

import typer

from nlpfeat.cli.console import usage
from nlpfeat.cli.options import SelectionOptions
from nlpfeat.cli.parsing import check_numbers, flag, parse_share
from nlpfeat.features.selection import check_selection


def check_selected(options: SelectionOptions) -> dict[str, Any]:
    """Return min_df, max_df and max_features, as the estimators take them.

    Raises
    ------
    typer.BadParameter
        For one that cannot be.
    """
    check_numbers(options, "max_features")
    parsed: dict[str, Any] = {}
    for name in ("min_df", "max_df"):
        with usage(flag(name)):
            parsed[name] = parse_share(getattr(options, name), name)
    with usage():
        check_selection(**parsed, max_features=options.max_features)
    least, most = parsed["min_df"], parsed["max_df"]
    # A number and a share can only be compared when the number of documents is known.
    if type(least) is type(most) and most < least:
        raise typer.BadParameter(
            f"--max-df must not be below --min-df. Got {options.max_df} and {options.min_df}."
        )
    return {**parsed, "max_features": options.max_features}
