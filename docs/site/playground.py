"""Buttons that open the playground, on the front page and on its own page, where it is built along with the site."""

OPEN = """```{button-link} %splayground/index.html
:color: primary

Open the playground
```"""
ABOUT = """```{button-ref} start/playground
:ref-type: doc
:color: primary

The playground
```"""


def write(stage, built):
    """Without the playground the front page's button leads to the page about it."""
    front = (stage.folder / "index.md").read_text(encoding="utf-8")
    stage.text("index.md", front.replace("<!-- made: playground -->", OPEN % "" if built else ABOUT))
    if built:
        title, _, rest = (stage.folder / "start/playground.md").read_text(encoding="utf-8").partition("\n")
        stage.text("start/playground.md", f"{title}\n\n{OPEN % '../'}\n{rest}")
