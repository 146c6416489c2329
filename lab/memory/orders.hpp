// The orders that scenes meet: each atomic operation of the library, and what it synchronises with.
#pragma once

#include <lab/memory/graph.hpp>

#include <compare>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>

namespace parley::memory {

class orders_met {
public:
    // Everything in this execution.
    void note(const graph& g, const std::string& scene);

    // A line for each operation: its place, function, name, order, order when it fails, scenes, and places of the stores
    // that it acquires from or the loads that acquire from it. Fields are apart by tabs, parts of a field by commas.
    void print(std::ostream& out) const;

private:
    struct place {
        std::string file;
        std::uint32_t line = 0, column = 0;
        friend auto operator<=>(const place&, const place&) = default;
    };
    struct operation_met {
        std::string function;
        operation done;
        std::set<std::string> scenes;
        std::set<place> partners;
    };
    [[nodiscard]] static place place_of(const operation& o);
    [[nodiscard]] static std::string text_of(const place& p);
    operation_met* met(const operation& o);

    std::map<place, operation_met> all_;
};

}  // namespace parley::memory
