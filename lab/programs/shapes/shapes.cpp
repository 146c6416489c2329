#include "lab/programs/shapes/shapes.hpp"

#include <functional>
#include <utility>

namespace parley_programs::shapes {
namespace {

using maker = std::function<std::unique_ptr<shape>(const json&, const timed::costs&)>;

const std::vector<std::pair<std::string, maker>>& makers() {
    const auto simple = [](std::unique_ptr<shape> (*make)(const json&)) {
        return [make](const json& parameters, const timed::costs&) { return make(parameters); };
    };
    static const std::vector<std::pair<std::string, maker>> all{{"spc", simple(spc)},
                                                                {"bpc", simple(bpc)},
                                                                {"bpc-loop", simple(bpc_loop)},
                                                                {"treerec", simple(treerec)},
                                                                {"uts", uts},
                                                                {"nqueens", nqueens},
                                                                {"loop", simple(loop)},
                                                                {"matmul", matmul},
                                                                {"matmul-loop", matmul_loop},
                                                                {"lu", lu},
                                                                {"cilksort", cilksort},
                                                                {"quicksort", quicksort}};
    return all;
}

}  // namespace

const std::vector<std::string>& names() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> found;
        for (const auto& [name, make] : makers()) {
            found.push_back(name);
        }
        return found;
    }();
    return all;
}

std::unique_ptr<shape> shape_of(std::string_view program, const json& parameters, const timed::costs& machine) {
    for (const auto& [name, make] : makers()) {
        if (name == program) {
            return make(parameters, machine);
        }
    }
    return nullptr;
}

}  // namespace parley_programs::shapes
