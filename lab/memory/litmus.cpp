#include <lab/memory/litmus.hpp>

#include <lab/memory/calls.hpp>

#include <parley/detail/sync/atomic.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace parley::memory {

namespace {

constexpr std::size_t locations = 3;

std::size_t location_of(char name) { return static_cast<std::size_t>(name - 'x'); }

instruction instruction_of(const std::string& text) {
    static const std::map<std::string, std::memory_order> orders{{"rlx", std::memory_order_relaxed},
                                                                 {"acq", std::memory_order_acquire},
                                                                 {"rel", std::memory_order_release},
                                                                 {"ar", std::memory_order_acq_rel},
                                                                 {"sc", std::memory_order_seq_cst}};
    static const std::map<char, does> kinds{
        {'=', does::store}, {'?', does::load}, {'+', does::add}, {':', does::exchange}, {'.', does::fence}};
    static const std::regex form(R"((?:([xyz])([=+:])(\d+)\.|([xyz])(\?)|f(\.))(rlx|acq|rel|ar|sc))");
    std::smatch m;
    if (!std::regex_match(text, m, form)) throw std::invalid_argument("'" + text + "' is no instruction of a litmus test");
    instruction i{.order = orders.at(m[7])};
    if (m[1].matched) {
        i.what = kinds.at(m[2].str()[0]);
        i.location = location_of(m[1].str()[0]);
        i.value = std::stoi(m[3]);
    } else if (m[4].matched) {
        i.what = does::load;
        i.location = location_of(m[4].str()[0]);
    }
    return i;
}

struct variables {
    std::array<sync::atomic<int>, locations> at;
    std::array<std::vector<long>, 4> seen;
};

void run(const instruction& i, variables& v, std::vector<long>& seen) {
    auto& at = v.at[i.location];
    switch (i.what) {
        case does::load: seen.push_back(at.load(i.order)); break;
        case does::add: seen.push_back(at.fetch_add(i.value, i.order)); break;
        case does::exchange: seen.push_back(at.exchange(i.value, i.order)); break;
        case does::store: at.store(i.value, i.order); break;
        default: fence(i.order);
    }
}

void make(const litmus_program& l, program& p) {
    auto& v = shared<variables>();
    for (std::size_t t = 0; t < l.threads.size(); ++t) {
        p.thread([&l, &v, t] {
            for (const instruction& i : l.threads[t]) run(i, v, v.seen[t]);
        });
    }
    p.finally([&l, &v] {
        std::vector<long> results;
        for (const auto& seen : v.seen) results.insert(results.end(), seen.begin(), seen.end());
        for (const std::size_t f : l.finals) results.push_back(v.at[f].load());
        outcome(results);
    });
}

}  // namespace

litmus_program litmus_of(const std::string& text) {
    litmus_program l;
    std::istringstream words(text);
    l.threads.emplace_back();
    bool is_behind = false;
    for (std::string word; words >> word;) {
        const bool ends = word.back() == ';';
        if (ends) word.pop_back();
        if (is_behind) l.finals.push_back(location_of(word.at(0)));
        else if (word == "|") l.threads.emplace_back();
        else l.threads.back().push_back(instruction_of(word));
        is_behind = is_behind || ends;
    }
    return l;
}

scene scene_of(const char* name, const char* text, std::vector<std::string> outcomes) {
    return {name, text, [l = litmus_of(text)](program& p) { make(l, p); }, std::move(outcomes)};
}

const std::vector<scene>& litmus_tests() {
    // Names and outcomes as in Maranget, Sarkar & Sewell, "A Tutorial Introduction to the ARM and POWER Relaxed Memory
    // Models", 2012, and Lahav et al., PLDI 2017 (those with seq_cst and weaker orders mixed: Z6.U, IRIW+acq+sc, RWC).
    static const std::vector<scene> all{
        scene_of("SB+sc", "x=1.sc y?sc | y=1.sc x?sc", {"0 1", "1 0", "1 1"}),
        scene_of("SB+rel+acq", "x=1.rel y?acq | y=1.rel x?acq", {"0 0", "0 1", "1 0", "1 1"}),
        scene_of("SB+one-sc", "x=1.sc y?sc | y=1.rel x?sc", {"0 0", "0 1", "1 0", "1 1"}),
        scene_of("SB+fences", "x=1.rlx f.sc y?rlx | y=1.rlx f.sc x?rlx", {"0 1", "1 0", "1 1"}),
        scene_of("SB+one-fence", "x=1.rlx f.sc y?rlx | y=1.rlx f.ar x?rlx", {"0 0", "0 1", "1 0", "1 1"}),
        scene_of("SB+fence+sc", "x=1.rlx f.sc y?rlx | y=1.sc x?sc", {"0 1", "1 0", "1 1"}),
        scene_of("SB+rmws", "x:1.ar y?acq | y:1.ar x?acq", {"0 0 0 0", "0 0 0 1", "0 1 0 0", "0 1 0 1"}),
        scene_of("SB+common-rmw", "x=1.rlx z+0.ar y?rlx | y=1.rlx z+0.ar x?rlx", {"0 0 0 1", "0 1 0 0", "0 1 0 1"}),
        scene_of("SB+happens-before", "x=1.sc z=1.rel | z?acq y?sc | y=1.sc x?sc",
                 {"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 1", "1 1 0", "1 1 1"}),
        scene_of("MP+rlx", "x=1.rlx y=1.rlx | y?rlx x?rlx", {"0 0", "0 1", "1 0", "1 1"}),
        scene_of("MP+rel+acq", "x=1.rlx y=1.rel | y?acq x?rlx", {"0 0", "0 1", "1 1"}),
        scene_of("MP+rel+rlx", "x=1.rlx y=1.rel | y?rlx x?rlx", {"0 0", "0 1", "1 0", "1 1"}),
        scene_of("MP+rlx+acq", "x=1.rlx y=1.rlx | y?acq x?rlx", {"0 0", "0 1", "1 0", "1 1"}),
        scene_of("MP+fences", "x=1.rlx f.rel y=1.rlx | y?rlx f.acq x?rlx", {"0 0", "0 1", "1 1"}),
        scene_of("MP+rel+fence", "x=1.rlx y=1.rel | y?rlx f.acq x?rlx", {"0 0", "0 1", "1 1"}),
        scene_of("MP+fence+acq", "x=1.rlx f.rel y=1.rlx | y?acq x?rlx", {"0 0", "0 1", "1 1"}),
        scene_of("MP+wrong-fences", "x=1.rlx f.acq y=1.rlx | y?rlx f.rel x?rlx", {"0 0", "0 1", "1 0", "1 1"}),
        scene_of("LB+rlx", "x?rlx y=1.rlx | y?rlx x=1.rlx", {"0 0", "0 1", "1 0"}),
        scene_of("IRIW+rel+acq", "x=1.rel | y=1.rel | x?acq y?acq | y?acq x?acq",
                 {"0 0 0 0", "0 0 0 1", "0 0 1 0", "0 0 1 1", "0 1 0 0", "0 1 0 1", "0 1 1 0", "0 1 1 1", "1 0 0 0",
                  "1 0 0 1", "1 0 1 0", "1 0 1 1", "1 1 0 0", "1 1 0 1", "1 1 1 0", "1 1 1 1"}),
        scene_of("IRIW+sc", "x=1.sc | y=1.sc | x?sc y?sc | y?sc x?sc",
                 {"0 0 0 0", "0 0 0 1", "0 0 1 0", "0 0 1 1", "0 1 0 0", "0 1 0 1", "0 1 1 0", "0 1 1 1", "1 0 0 0",
                  "1 0 0 1", "1 0 1 1", "1 1 0 0", "1 1 0 1", "1 1 1 0", "1 1 1 1"}),
        scene_of("IRIW+fences", "x=1.rlx | y=1.rlx | x?rlx f.sc y?rlx | y?rlx f.sc x?rlx",
                 {"0 0 0 0", "0 0 0 1", "0 0 1 0", "0 0 1 1", "0 1 0 0", "0 1 0 1", "0 1 1 0", "0 1 1 1", "1 0 0 0",
                  "1 0 0 1", "1 0 1 1", "1 1 0 0", "1 1 0 1", "1 1 1 0", "1 1 1 1"}),
        scene_of("IRIW+acq+sc", "x=1.sc | y=1.sc | x?acq y?sc | y?acq x?sc",
                 {"0 0 0 0", "0 0 0 1", "0 0 1 0", "0 0 1 1", "0 1 0 0", "0 1 0 1", "0 1 1 0", "0 1 1 1", "1 0 0 0",
                  "1 0 0 1", "1 0 1 0", "1 0 1 1", "1 1 0 0", "1 1 0 1", "1 1 1 0", "1 1 1 1"}),
        scene_of("2+2W+rel", "x=1.rel y=2.rel | y=1.rel x=2.rel; x y", {"1 1", "1 2", "2 1", "2 2"}),
        scene_of("2+2W+sc", "x=1.sc y=2.sc | y=1.sc x=2.sc; x y", {"1 2", "2 1", "2 2"}),
        scene_of("2+2W+fences", "x=1.rlx f.sc y=2.rlx | y=1.rlx f.sc x=2.rlx; x y", {"1 2", "2 1", "2 2"}),
        scene_of("WRC+rlx", "x=1.rlx | x?rlx y=1.rlx | y?rlx x?rlx",
                 {"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0", "1 1 1"}),
        scene_of("WRC+rel+acq", "x=1.rel | x?acq y=1.rel | y?acq x?rlx",
                 {"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 1"}),
        scene_of("ISA2+rel+acq", "x=1.rlx y=1.rel | y?acq z=1.rel | z?acq x?rlx",
                 {"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 1"}),
        scene_of("ISA2+rlx", "x=1.rlx y=1.rel | y?rlx z=1.rel | z?acq x?rlx",
                 {"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0", "1 1 1"}),
        scene_of("RWC+fences", "x=1.rlx | x?rlx f.sc y?rlx | y=1.rlx f.sc x?rlx",
                 {"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 1", "1 1 0", "1 1 1"}),
        scene_of(
            "Z6.U", "x=1.sc y=1.rel | y+1.sc y?rlx | y=3.sc x?sc",
            {"0 1 0", "0 1 1", "0 3 0", "0 3 1", "1 2 0", "1 2 1", "1 3 0", "1 3 1", "3 1 0", "3 1 1", "3 4 0", "3 4 1"}),
        scene_of("CoRR", "x=1.rlx x=2.rlx | x?rlx x?rlx", {"0 0", "0 1", "0 2", "1 1", "1 2", "2 2"}),
        scene_of("CoWW", "x=1.rlx x=2.rlx | y=1.rlx; x", {"2"}),
        scene_of("CoRW", "x?rlx x=1.rlx | x=2.rlx; x", {"0 1", "0 2", "2 1"}),
        scene_of("CoWR", "x=1.rlx x?rlx | x=2.rlx; x", {"1 1", "1 2", "2 2"}),
        scene_of("release-sequence", "y=1.rlx x=1.rel | x+10.rlx | x?acq y?rlx",
                 {"0 0 0", "0 0 1", "0 1 1", "0 10 0", "0 10 1", "1 0 0", "1 0 1", "1 1 1", "1 11 1"}),
        scene_of("release-sequence-of-stores", "y=1.rlx x=1.rel x=2.rlx | x?acq y?rlx", {"0 0", "0 1", "1 1", "2 0", "2 1"}),
        scene_of("RMW-atomicity", "x+1.rlx | x+1.rlx; x", {"0 1 2", "1 0 2"}),
        scene_of("RMW+store", "x+1.rlx | x=5.rlx; x", {"0 5", "5 6"}),
        scene_of("RMW-3", "x+1.rlx | x+1.rlx | x+1.rlx; x",
                 {"0 1 2 3", "0 2 1 3", "1 0 2 3", "1 2 0 3", "2 0 1 3", "2 1 0 3"}),
    };
    return all;
}

}  // namespace parley::memory
