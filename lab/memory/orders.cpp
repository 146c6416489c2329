#include <lab/memory/orders.hpp>

#include <cstddef>
#include <ostream>
#include <string_view>
#include <utility>

namespace parley::memory {

namespace {

// "send" of "bool parley::v0::sync::mpsc<Node, Next>::send(Node*) [with Node = ...]".
std::string name_in(std::string_view signature) {
    signature = signature.substr(0, signature.find('('));
    const std::size_t begin = signature.find_last_of(": ");
    return std::string(begin == std::string_view::npos ? signature : signature.substr(begin + 1));
}

template <class Set, class Text>
void print_set(std::ostream& out, const Set& set, const Text& text) {
    const char* between = "";
    for (const auto& one : set) {
        out << between << text(one);
        between = ",";
    }
}

}  // namespace

orders_met::place orders_met::place_of(const operation& o) {
    const std::string_view path = o.site.file_name();
    const std::size_t begin = path.rfind("/parley/");
    return {std::string(begin == std::string_view::npos ? path : path.substr(begin + 1)), o.site.line(), o.site.column()};
}

std::string orders_met::text_of(const place& p) {
    return p.file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

orders_met::operation_met* orders_met::met(const operation& o) {
    place at = place_of(o);
    if (!at.file.starts_with("parley/")) return nullptr;
    const auto [where, is_new] = all_.try_emplace(std::move(at));
    if (is_new) {
        where->second.done = o;
        where->second.function = name_in(o.site.function_name());
    }
    return &where->second;
}

void orders_met::note(const graph& g, const std::string& scene) {
    for (const auto& thread : g.threads) {
        for (const event& e : thread) {
            operation_met* const here = met(e.done);
            if (here == nullptr) continue;
            here->scenes.insert(scene);
            if (e.what != kind::read || !is_acquire(e.order) || e.from.thread == event_id::initial) continue;
            const event& w = g.at(e.from);
            if (w.released == clock{}) continue;
            operation_met* const there = met(w.done);
            if (there == nullptr) continue;
            here->partners.insert(place_of(w.done));
            there->partners.insert(place_of(e.done));
        }
    }
}

void orders_met::print(std::ostream& out) const {
    for (const auto& [where, o] : all_) {
        const bool may_fail = o.done.what == does::compare_exchange;
        out << text_of(where) << '\t' << o.function << '\t' << name_of(o.done.what) << '\t' << name_of(o.done.order) << '\t'
            << (may_fail ? name_of(o.done.failure) : "-") << '\t';
        print_set(out, o.scenes, [](const std::string& s) { return s; });
        out << '\t';
        print_set(out, o.partners, [](const place& p) { return text_of(p); });
        out << '\n';
    }
}

}  // namespace parley::memory
