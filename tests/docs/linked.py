"""Files of rows that a document gives its readers."""
import re


def linked_rows(document):
    """The .csv files that a document links to: its commands find them where they run, as a reader who downloads them would."""
    links = re.findall(r"\]\(([^()\s:]+\.csv)\)", document.read_text(encoding="utf-8"))
    return sorted({(document.parent / link).resolve() for link in links})
