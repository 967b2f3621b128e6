"""What skops writes into schema.json: its objects, and numbers for them that do not change."""

import os
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias, TypeGuard

Node: TypeAlias = dict[str, Any]
"""An object, or a part of one, as skops writes it into schema.json."""


def walk(node: Node, place: str) -> Iterator[tuple[str, Node]]:
    """Yield every object of a schema, and where it stands, such as ``steps[0][1].segmenter``."""
    yield place, node
    content = node.get("content")
    if is_node(content):
        is_attributes = node["__loader__"] == "ObjectNode" and content["__loader__"] == "DictNode"
        parts = content["content"].items() if is_attributes else [("", content)]
        yield from (
            found
            for name, part in parts
            for found in walk(part, f"{place}.{name}".lstrip(".") if is_attributes else place)
        )
    elif isinstance(content, dict | list):
        parts = content.items() if isinstance(content, dict) else enumerate(content)
        for key, part in parts:
            if is_node(part):
                yield from walk(part, f"{place}[{key!r}]")


def is_node(value: object) -> TypeGuard[Node]:
    """Tell an object of a schema from what it is made of."""
    return isinstance(value, dict) and isinstance(value.get("__loader__"), str)


class Renumbering(NamedTuple):
    """New numbers for the objects and files of a schema, in the order in which they stand.

    skops takes memory addresses, which differ from run to run.
    """

    objects: dict[int, int]
    files: dict[str, str]

    def apply(self, part: dict[str, Any] | list[Any]) -> None:
        """Change a part of a schema in place."""
        if is_node(part):
            self._renumber(part)
        for each in part.values() if isinstance(part, dict) else part:
            if isinstance(each, dict | list):
                self.apply(each)

    def _renumber(self, node: Node) -> None:
        if node["__loader__"] == "JsonNode":
            # Texts and numbers need no identity.
            node.pop("__id__", None)
        elif isinstance(number := node.get("__id__"), int):
            node["__id__"] = self.objects.setdefault(number, len(self.objects) + 1)
        if isinstance(file := node.get("file"), str):
            ending = os.path.splitext(file)[1]
            node["file"] = self.files.setdefault(file, f"{len(self.files)}{ending}")
        content: Any = node.get("content")
        if node["__class__"] == "frozenset":
            members = content["content"][0]["content"]  # the list that its constructor takes
        elif node["__loader__"] == "SetNode":
            members = content
        else:
            return
        if all(each["__loader__"] == "JsonNode" for each in members):
            members.sort(key=lambda each: each["content"])
