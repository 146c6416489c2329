#!/usr/bin/env python3
"""`check_links.py FOLDER` says which links of the pages in FOLDER lead nowhere within it, and fails if there are any."""

import os
import re
import sys

# Doxygen's own: it links from a class to nested ones that are private.
KNOWN = {"#nested-classes"}


def main(folder):
    pages = {}
    for name in os.listdir(folder):
        if name.endswith(".html"):
            with open(os.path.join(folder, name), encoding="utf-8") as page:
                pages[name] = page.read()
    names = {name: set(re.findall(r'(?:id|name)="([^"]+)"', text)) for name, text in pages.items()}
    broken = []
    for name, text in sorted(pages.items()):
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            path, _, anchor = link.partition("#")
            path = path or name
            if re.match(r"[a-z]+:", link) or link in KNOWN:
                continue
            if not os.path.exists(os.path.join(folder, path)) or (anchor and anchor not in names.get(path, ())):
                broken.append(f"{name}: {link}")
    print("\n".join(broken), end="\n" if broken else "")
    return 1 if broken else 0


sys.exit(main(sys.argv[1]))
