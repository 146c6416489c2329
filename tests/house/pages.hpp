// Rules for the pages: README.md, docs/ and every other file that ends in .md. Each returns one line per breach.
#pragma once

#include "tests/house/rules.hpp"
#include "tests/house/source_tree.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace house {

// Path from the project's root, as "docs/guide/loops.md", to the page's text.
using page_set = std::map<std::string, std::string>;

// Every page below `root`, without those of builds.
page_set read_pages(const std::filesystem::path& root);

// The targets of a page's links and pictures, as they are written. What stands in code is no link.
std::vector<std::string> links_of(std::string_view markdown);

// The names by which links reach a page's headings, as GitHub makes them: "what-it-costs".
std::vector<std::string> anchors_of(std::string_view markdown);

// Each relative link leads to a file or folder of the project, and its #anchor to a heading there.
breaches link_breaches(const page_set& pages, const std::function<bool(const std::string&)>& exists);

// Who uses Parley need not read how it was measured: no link leads from docs/guide to docs/evidence.
breaches guide_breaches(const page_set& pages);

// docs/README.md names each page of the three shelves in one line.
breaches index_breaches(const page_set& pages);

// A page that a source names, as docs/guide/loops.md, is there.
breaches mention_breaches(const source_tree& sources, const page_set& pages);

}  // namespace house
