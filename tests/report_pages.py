"""Pages as a browser reads them: by Python's HTML parser, and in Chromium where there is one."""

import base64
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

# Milliseconds: on a busy machine a browser is slow, which is no fault of a page.
_PATIENCE = 240_000
_VOID = {"meta", "wbr", "br", "img", "link", "input", "hr"}


class ReadPage(HTMLParser):
    """The elements of a page, its scripts and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.pieces: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attributes), ""))

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data) -> None:
        if self.open and self.open[-1] == "script":
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + data)
        elif self.open and self.open[-1] == "style":
            self.styles.append(data)
        else:
            self.pieces.append(data)

    @property
    def text(self) -> str:
        """All that is shown."""
        return "".join(self.pieces)

    def tags(self) -> set[str]:
        """Names of the elements."""
        return {tag for tag, _ in self.elements}

    def json_scripts(self) -> dict[str, str]:
        """The data of the page by the id of its element."""
        return {attributes["id"]: text for attributes, text in self.scripts
                if attributes.get("type") == "application/json"}  # fmt: skip

    def programs(self) -> list[str]:
        """The scripts that run."""
        return [text for attributes, text in self.scripts
                if attributes.get("type") != "application/json"]  # fmt: skip

    def policy(self) -> str:
        """The Content-Security-Policy."""
        (found,) = [attributes["content"] for tag, attributes in self.elements
                    if tag == "meta" and "http-equiv" in attributes]  # fmt: skip
        return found


def hash_source(text: str) -> str:
    """Return how a policy names a script or a style."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@dataclass
class Visit:
    """A page in a browser, and what happened on it."""

    page: object
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def drawn(self) -> None:
        """Wait until all charts are drawn."""
        self.page.wait_for_selector("html[data-charts]", timeout=_PATIENCE)

    def value(self, expression: str) -> object:
        """Return what an expression is on the page."""
        return self.page.evaluate(expression)

    def keep_picture(self, name: str, folder: Path) -> Path:
        """Write a picture of the whole page to NLPFEAT_SCREENSHOTS, or to this folder."""
        path = Path(os.environ.get("NLPFEAT_SCREENSHOTS") or folder) / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(path), full_page=True)
        return path


@contextmanager
def chromium() -> Iterator[object]:
    """Start Debian's Chromium, or skip."""
    playwright = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not installed (Debian: apt install chromium)")
    # The path of Chromium's socket has room for a hundred characters; a test's own folder has not.
    with TemporaryDirectory(dir="/tmp") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        with playwright.sync_playwright() as running:
            browser = running.chromium.launch(executable_path=program)
            yield browser
            browser.close()


@contextmanager
def visit(browser, path: Path, *, scheme: str = "light", width: int = 1200) -> Iterator[Visit]:
    """Open a page from the disk."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, locale="en-US"
    )
    context.set_default_timeout(_PATIENCE)
    page = context.new_page()
    found = Visit(page)
    page.on("console", lambda message: found.messages.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: found.messages.append(f"error: {error}"))
    page.on("request", lambda request: found.requests.append(request.url))
    page.goto(path.as_uri())
    yield found
    context.close()
