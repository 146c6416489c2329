#include <parley/runtime/options.hpp>

#include <parley/base/errors.hpp>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace parley::inline v0 {

namespace {

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

unsigned workers_from(const std::string& value) {
    unsigned workers = 0;
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, workers);
    if (error != std::errc{} || stop != end || workers == 0 || workers > max_workers)
        throw environment_error("PARLEY_WORKERS", value,
                                "a number of workers from 1 to " + std::to_string(max_workers));
    return workers;
}

template <class Enum, std::size_t N>
Enum one_of(const char* name, const std::string& value, const Enum (&all)[N]) {
    std::string allowed;
    for (const Enum e : all) {
        if (to_string(e) == value) return e;
        allowed += (allowed.empty() ? "" : ", ") + to_string(e);
    }
    throw environment_error(name, value, "one of " + allowed);
}

}  // namespace

std::string to_string(stealing s) {
    switch (s) {
        case stealing::one: return "one";
        case stealing::half: return "half";
        case stealing::adaptive: break;
    }
    return "adaptive";
}

std::string to_string(splitting s) {
    switch (s) {
        case splitting::half: return "half";
        case splitting::guided: return "guided";
        case splitting::adaptive: break;
    }
    return "adaptive";
}

std::string to_string(binding b) {
    switch (b) {
        case binding::cores: return "cores";
        case binding::threads: return "threads";
        case binding::none: break;
    }
    return "none";
}

options options::from_environment() {
    options o;
    if (const auto v = variable("PARLEY_WORKERS")) o.workers = workers_from(*v);
    if (const auto v = variable("PARLEY_STEAL"))
        o.steal = one_of("PARLEY_STEAL", *v,
                         {stealing::one, stealing::half, stealing::adaptive});
    if (const auto v = variable("PARLEY_SPLIT"))
        o.split = one_of("PARLEY_SPLIT", *v,
                         {splitting::half, splitting::guided, splitting::adaptive});
    if (const auto v = variable("PARLEY_BIND"))
        o.bind = one_of("PARLEY_BIND", *v, {binding::none, binding::cores, binding::threads});
    return o;
}

}  // namespace parley::inline v0
