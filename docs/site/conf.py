"""Sphinx's settings. tools/make_site puts the documents together (stage.py), makes the references and runs Sphinx with these."""

import inspect
import os
import pathlib
import re
import warnings

from docutils import nodes

root = pathlib.Path(__file__).resolve().parents[2]

project = "linsep"
author = "the linsep authors"
copyright = "the linsep authors; Apache License 2.0"  # noqa: A001
version = release = re.search(r"project\(linsep VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "sphinx_design", "sphinx_gallery.gen_gallery",
              "breathe", "sphinx.ext.mathjax"]
if os.environ.get("LINSEP_SITE_ONLINE"):
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_mapping = {"python": ("https://docs.python.org/3", None), "numpy": ("https://numpy.org/doc/stable", None),
                           "scipy": ("https://docs.scipy.org/doc/scipy", None), "sklearn": ("https://scikit-learn.org/stable", None)}

root_doc = "index"
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["gallery-scripts/**", "files/**"]
templates_path = [str(pathlib.Path(__file__).parent / "_templates")]
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure",  # shown output is cut with "…", which no lexer knows
                     "duplicate_declaration.cpp",  # the namespace, on every header's page
                     "config.cache"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autosummary_generate = True
autodoc_typehints = "none"
python_maximum_signature_line_length = 70
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

breathe_projects = {"linsep": os.environ.get("LINSEP_SITE_XML", str(root / "build/site/doxygen/xml"))}
breathe_default_project = "linsep"
breathe_show_include = False
breathe_default_members = ("members", "undoc-members")
cpp_maximum_signature_line_length = 100

sphinx_gallery_conf = {
    "examples_dirs": "gallery-scripts",
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_",
    "download_all_examples": False,
    "show_memory": False,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "min_reported_time": 5,
    "copyfile_regex": r".*\.csv",
    "reset_modules": ("matplotlib",),
    "within_subsection_order": "FileNameSortKey",
    "thumbnail_size": (560, 392),
}
warnings.filterwarnings("ignore", message=".*non-interactive.*", category=UserWarning)

# References to names of other projects can't be followed without their indexes; identifiers in C++ signatures are Doxygen's, many of
# them of C++'s own library or private.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!linsep\.).*"), ("cpp:identifier", r".*")]

html_theme = "pydata_sphinx_theme"
html_title = "linsep"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_js_files = [("versions.js", {"type": "module"})]
html_favicon = "_static/logo.svg"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "linsep", "image_light": "_static/logo.svg", "image_dark": "_static/logo-dark.svg"},
    "header_links_before_dropdown": 7,
    "show_prev_next": False,
    "navigation_depth": 3,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navbar_align": "left",
    "navbar_start": ["navbar-logo", "versions"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": []}


def without_labels(_app, _what, _name, _object, _options, lines):
    """Inherited docstrings refer to places in scikit-learn's manual: their words stay."""
    lines[:] = re.sub(r":ref:`([^`<]*?)\s*<[^>`]+>`", r"\1", "\n".join(lines)).split("\n")


def own_signature(_app, what, name, thing, _options, _signature, _returns):
    """The parameters of a class are those of its ``__init__``."""
    if what != "class" or not name.startswith("linsep.") or "__init__" not in dir(thing):
        return None
    try:
        shown = inspect.signature(thing.__init__)
    except (TypeError, ValueError):
        return None
    parameters = [one.replace(annotation=one.empty) for one in list(shown.parameters.values())[1:]]
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return None
    return str(shown.replace(parameters=parameters, return_annotation=shown.empty)), None


def mark_wide_tables(_app, document):
    """Blocks with printed tables of more columns than a line has room for are shown smaller, so that rows don't wrap."""
    for block in document.findall(nodes.literal_block):
        if any(len(line) > 96 and len(re.findall(r"\S {2,}\S", line)) > 2 for line in block.astext().splitlines()):
            block["classes"].append("wide")


def setup(app):
    app.connect("doctree-read", mark_wide_tables)
    app.connect("autodoc-process-signature", own_signature)
    app.connect("autodoc-process-docstring", without_labels)
