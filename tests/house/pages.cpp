#include "tests/house/pages.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>

namespace house {

namespace fs = std::filesystem;

namespace {

// The page's lines outside of fenced code.
std::vector<std::string> prose_lines(std::string_view markdown) {
    std::vector<std::string> lines;
    bool in_code = false;
    for (const std::string& line : split_lines(markdown)) {
        if (line.starts_with("```")) {
            in_code = !in_code;
        } else if (!in_code) {
            lines.push_back(line);
        }
    }
    return lines;
}

std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ') {
            anchor += '-';
        } else if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
            anchor += static_cast<char>(std::tolower(byte));
        }
    }
    return anchor;
}

bool leads_elsewhere(const std::string& link) { return link.find("://") != std::string::npos; }

// The project's path that a relative link in `page` means, without the anchor.
std::string target_of(const std::string& page, const std::string& link) {
    const std::string file = link.substr(0, link.find('#'));
    if (file.empty()) {
        return page;
    }
    std::string path = (fs::path(page).parent_path() / file).lexically_normal().generic_string();
    if (path.ends_with('/')) {
        path.pop_back();
    }
    return path;
}

bool is_in_path(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_/.*-").find(c) != std::string_view::npos;
}

bool is_on_shelf(const std::string& page) {
    return page.starts_with("docs/guide/") || page.starts_with("docs/internals/") || page.starts_with("docs/evidence/");
}

}  // namespace

page_set read_pages(const fs::path& root) {
    page_set pages;
    for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
        const std::string name = entry->path().filename().string();
        if (entry->is_directory() && entry.depth() == 0 && (name == ".git" || name.starts_with("build"))) {
            entry.disable_recursion_pending();
        } else if (entry->is_regular_file() && name.ends_with(".md")) {
            pages[entry->path().lexically_relative(root).generic_string()] = read_file(entry->path());
        }
    }
    return pages;
}

std::vector<std::string> links_of(std::string_view markdown) {
    static const std::regex code("`[^`]*`");
    static const std::regex link(R"re(\]\(([^()\s]+)\))re");
    std::vector<std::string> links;
    for (const std::string& line : prose_lines(markdown)) {
        const std::string text = std::regex_replace(line, code, "`code`");
        for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
            links.push_back((*found)[1].str());
        }
    }
    return links;
}

std::vector<std::string> anchors_of(std::string_view markdown) {
    std::vector<std::string> anchors;
    std::map<std::string, int> times;
    for (const std::string& line : prose_lines(markdown)) {
        const std::size_t begin = line.find_first_not_of('#');
        if (begin == 0 || begin == std::string::npos || line[begin] != ' ') {
            continue;
        }
        const std::string anchor = anchor_of(std::string_view(line).substr(begin + 1));
        const int before = times[anchor]++;
        anchors.push_back(before == 0 ? anchor : anchor + "-" + std::to_string(before));
    }
    return anchors;
}

breaches link_breaches(const page_set& pages, const std::function<bool(const std::string&)>& exists) {
    breaches found;
    for (const auto& [page, text] : pages) {
        for (const std::string& link : links_of(text)) {
            if (leads_elsewhere(link)) {
                continue;
            }
            const std::string target = target_of(page, link);
            const auto other = pages.find(target);
            if (other == pages.end() && !exists(target)) {
                found.push_back(page + ": " + link + " is not there");
                continue;
            }
            const std::size_t hash = link.find('#');
            if (hash == std::string::npos) {
                continue;
            }
            const std::vector<std::string> anchors =
                other == pages.end() ? std::vector<std::string>() : anchors_of(other->second);
            if (std::find(anchors.begin(), anchors.end(), link.substr(hash + 1)) == anchors.end()) {
                found.push_back(page + ": " + link + " names no heading");
            }
        }
    }
    return found;
}

breaches guide_breaches(const page_set& pages) {
    breaches found;
    for (const auto& [page, text] : pages) {
        if (!page.starts_with("docs/guide/")) {
            continue;
        }
        for (const std::string& link : links_of(text)) {
            if (!leads_elsewhere(link) && target_of(page, link).starts_with("docs/evidence")) {
                found.push_back(page + ": " + link);
            }
        }
    }
    return found;
}

breaches index_breaches(const page_set& pages) {
    static const std::string index = "docs/README.md";
    std::map<std::string, int> times;
    if (const auto text = pages.find(index); text != pages.end()) {
        for (const std::string& link : links_of(text->second)) {
            ++times[target_of(index, link)];
        }
    }
    breaches found;
    for (const auto& [page, text] : pages) {
        if (is_on_shelf(page) && times[page] != 1) {
            found.push_back(page + ": named " + std::to_string(times[page]) + " times in " + index);
        }
    }
    return found;
}

breaches mention_breaches(const source_tree& sources, const page_set& pages) {
    static constexpr std::string_view folder = "docs/";
    static constexpr std::string_view ending = ".md";
    breaches found;
    for (const auto& [file, text] : sources) {
        for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at + 1)) {
            std::size_t end = at;
            while (end < text.size() && is_in_path(text[end])) {
                ++end;
            }
            const std::size_t dot = text.substr(at, end - at).rfind(ending);  // "docs/guide/loops.md." ends a sentence
            if ((at > 0 && is_in_path(text[at - 1])) || dot == std::string::npos) {
                continue;
            }
            const std::string page = text.substr(at, dot + ending.size());
            const std::size_t star = page.find('*');  // docs/guide/coming-from-*.md: at least one
            const auto first = pages.lower_bound(page.substr(0, star));
            const bool is_there = star == std::string::npos
                                      ? pages.contains(page)
                                      : first != pages.end() && first->first.starts_with(page.substr(0, star));
            if (!is_there) {
                found.push_back(file + ": " + page);
            }
        }
    }
    return found;
}

}  // namespace house
