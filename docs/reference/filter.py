#!/usr/bin/env python3
"""What Doxygen reads instead of a page: `filter.py PAGE`, at the root of the sources, writes it on standard output.

Headings get the names that links reach them by, and links lead there: GitHub makes these names of the headings, Doxygen
knows those only that are given. A link to a file that is no page of the site becomes plain text.
"""

import html
import os
import re
import sys


def label_of(path):
    """`guide_loops` of docs/guide/loops.md; None of what is no page of the site."""
    path = os.path.normpath(path)
    if path == "README.md":
        return "index"
    if not re.fullmatch(r"docs/.*\.md|[A-Z]+\.md", path):
        return None
    return path.removeprefix("docs/").removesuffix(".md").replace("/", "_")


def anchor_of(heading):
    """The name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def named(heading, page, seen):
    """A heading with its name: of the first one this is the page's."""
    marks, text = re.match(r"(#+) +(.*)", heading).groups()
    if not seen:
        seen[None] = 1
        return f"# {text} {{#{'mainpage' if page == 'index' else page}}}"
    anchor = anchor_of(text)
    before = seen.get(anchor, 0)
    seen[anchor] = before + 1
    return f"{marks} {text} {{#{page}__{anchor}{f'-{before}' if before else ''}}}"


def resolved(link, file, page):
    is_picture, text, target = link.groups()
    # A link that breaks over a line is put on the first one.
    rest = "\n" * text.count("\n")
    text = text.replace("\n", " ")
    if re.match(r"[a-z]+:", target):
        return link.group(0)
    if is_picture:  # all of them lie in one folder
        return f"![{text}]({os.path.basename(target)}){rest}"
    path, _, anchor = target.partition("#")
    there = label_of(os.path.join(os.path.dirname(file), path)) if path else page
    if there is None:
        return text + rest
    if anchor:
        return f"[{text}](@ref {there}__{anchor}){rest}"
    if page == "README":  # the index: all other pages belong to it
        return f'@subpage {there} "{text}"{rest}'
    return f"[{text}](@ref {there}){rest}"


def main(file):
    page = label_of(file := os.path.relpath(file))
    seen = {}

    def filtered(prose):
        # Of a bar in a table Doxygen shows the backslash, too, if it stands in backticks.
        prose = re.sub(r"`([^`\n]*\\\|[^`\n]*)`", lambda code: f"<code>{html.escape(code.group(1))}</code>", prose)
        prose = re.sub(r"^#+ .*", lambda heading: named(heading.group(0), page, seen), prose, flags=re.M)
        # What stands in backticks is no link, but may be in the text of one.
        return re.sub(r"(!?)\[((?:[^][`]|`[^`]*`)*)\]\(([^)\s]+)\)", lambda link: resolved(link, file, page), prose)

    with open(file, encoding="utf-8") as source:
        pieces = re.split(r"(^```.*?^```\n)", source.read(), flags=re.M | re.S)
    print("".join(piece if piece.startswith("```") else filtered(piece) for piece in pieces), end="")


main(sys.argv[1])
