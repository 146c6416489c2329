// explore-memory SCENE...: every execution of small programs that the C++ memory model allows.
#include <lab/memory/machine.hpp>
#include <lab/memory/orders.hpp>
#include <lab/memory/scene.hpp>
#include <lab/memory/search.hpp>
#include <lab/memory/weakening.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace memory = parley::memory;

struct order {
    std::vector<std::string> scenes;
    bool list = false;
    bool all = false;
    bool quick = false;
    bool litmus = false;
    std::uint32_t steps = memory::search_limits{}.steps;
    std::string weaken;
    bool orders = false;
};

// 0: as it has to be. 1: not. 2: there is no telling.
int run(memory::machine& threads, const memory::scene& s, const order& o, memory::orders_met* notes) {
    const auto begin = std::chrono::steady_clock::now();
    const memory::search_result r = memory::search(threads, s, {.steps = o.steps, .notes = notes});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (notes == nullptr || r.found || r.is_endless)
        std::printf("%s: %llu executions, %llu in which somebody waits, %s, %.2f s\n", s.name,
                    static_cast<unsigned long long>(r.executions), static_cast<unsigned long long>(r.waiting),
                    r.is_complete ? "all" : "not all", took.count());
    std::fflush(stdout);
    if (r.is_endless) {
        std::cerr << "explore-memory: " << s.name << ": an execution has more than " << o.steps
                  << " steps, the bound of --steps\n";
        return 2;
    }
    if (r.found) {
        std::cout << *r.found;
        return 1;
    }
    if (s.outcomes.empty()) return 0;
    std::vector<std::string> seen;
    for (const auto& [outcome, count] : r.outcomes) seen.push_back(outcome);
    if (seen == s.outcomes) return 0;
    std::cout << "  outcomes:";
    for (const std::string& outcome : seen) std::cout << " (" << outcome << ")";
    std::cout << "\n  expected:";
    for (const std::string& outcome : s.outcomes) std::cout << " (" << outcome << ")";
    std::cout << '\n';
    return 1;
}

std::vector<const memory::scene*> chosen(const order& o) {
    std::vector<const memory::scene*> all;
    if (o.litmus)
        for (const memory::scene& s : memory::litmus_tests()) all.push_back(&s);
    if (o.all)
        for (const memory::scene& s : memory::scenes())
            if (!s.is_long || !o.quick) all.push_back(&s);
    for (const std::string& name : o.scenes) {
        const auto find = [&](const std::vector<memory::scene>& in) {
            const auto found = std::find_if(in.begin(), in.end(), [&](const memory::scene& s) { return name == s.name; });
            if (found != in.end()) all.push_back(&*found);
            return found != in.end();
        };
        if (!find(memory::scenes()) && !find(memory::litmus_tests()))
            throw std::invalid_argument("there is no scene '" + name + "'; see explore-memory --list");
    }
    return all;
}

int run_as_asked(const order& o) {
    if (o.list) {
        for (const auto* table : {&memory::litmus_tests(), &memory::scenes()})
            for (const memory::scene& s : *table) std::printf("%-24s %s\n", s.name, s.asks);
        return 0;
    }
    if (!o.litmus && !o.all && o.scenes.empty())
        throw std::invalid_argument("name scenes, or say --list, --litmus or --all");
    if (o.quick && !o.all) throw std::invalid_argument("--quick is with --all");
    if (o.all && !o.scenes.empty()) throw std::invalid_argument("--all is without a scene");
    const std::vector<const memory::scene*> scenes = chosen(o);
    if (!o.weaken.empty()) memory::set_weakening(memory::weakening_of(o.weaken));
    memory::machine threads;
    int status = 0;
    memory::orders_met notes;
    for (const memory::scene* s : scenes) status = std::max(status, run(threads, *s, o, o.orders ? &notes : nullptr));
    if (o.orders) notes.print(std::cout);
    if (!o.weaken.empty() && !memory::was_weakened()) throw std::invalid_argument("no scene comes to " + o.weaken);
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    order o;
    CLI::App app("Explores every execution of small programs that the C++ memory model allows");
    app.add_option("scenes", o.scenes, "what to explore");
    app.add_flag("--list", o.list, "the names of all scenes");
    app.add_flag("--all", o.all, "explore all scenes but the litmus tests");
    app.add_flag("--quick", o.quick, "with --all: but those that take more than some seconds");
    app.add_flag("--litmus", o.litmus, "explore the litmus tests");
    app.add_option("--steps", o.steps, "an execution that has more events does not end")->check(CLI::Range(1, 60'000));
    app.add_flag("--orders", o.orders, "a line for each atomic operation of the library that the scenes come to");
    app.add_option("--weaken", o.weaken, "FILE:LINE[:COLUMN]=[failure:]ORDER: this operation with another order");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& e) {
        std::cerr << "explore-memory: " << e.what() << '\n';
        return 2;
    }
    try {
        return run_as_asked(o);
    } catch (const std::exception& e) {
        std::cerr << "explore-memory: " << e.what() << '\n';
        return 2;
    }
}
