"""Every link of the built site that stays within it leads to a file, and its anchor to an element there."""

import html.parser
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self):
        super().__init__()
        self.links = []
        self.anchors = set()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def read(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def broken_links(folder):
    """Sentences, one for each link that leads nowhere."""
    pages = {path.resolve(): read(path) for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts}
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or link == "#":
                continue
            target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.exists():
                found.append(f"{path.relative_to(folder.resolve())}: there is no {link}")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                found.append(f"{path.relative_to(folder.resolve())}: no place of that name in {link}")
    return sorted(set(found)), sum(len(page.links) for page in pages.values()), len(pages)


def check(folder):
    """Prints what is broken; returns whether nothing is."""
    broken, links, pages = broken_links(folder)
    print(*broken, sep="\n", file=sys.stderr, end="\n" if broken else "")
    print(f"make_site: {pages} pages, {links} links, {len(broken)} broken")
    return pages > 0 and not broken
