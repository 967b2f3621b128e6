"""Which features are kept, checked before any work."""

from typing import Any

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
    return {**parsed, "max_features": options.max_features}
