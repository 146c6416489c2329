// A worker is parts by who may touch them, and so is a pool around a small core; and each rule sees a breach when there is
// one.
#include "tests/house/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace house;

const breaches none;

const source_tree& project() {
    static const source_tree tree =
        read_tree(PARLEY_SOURCE_DIR, {"parley", "broker", "cluster", "lab", "command", "examples"});
    return tree;
}

const std::string worker_path = "parley/detail/runtime/worker.hpp";
const std::string pool_path = "parley/detail/runtime/pool.hpp";

TEST(Parts, WorkerAndPoolHaveNoPublicData) { EXPECT_EQ(public_data_breaches(project()), none); }
TEST(Parts, OnlyTheRuntimeReachesIntoAWorker) { EXPECT_EQ(part_breaches(project()), none); }
TEST(Parts, EachSaysWhoMayTouchIt) { EXPECT_EQ(owner_breaches(project()), none); }
TEST(Parts, TheCoreOfAPoolIsSmall) { EXPECT_EQ(core_breaches(project()), none); }

TEST(Parts, AreCounted) {
    const auto members = data_members_of(project().at(pool_path), "pool");
    const auto functions = public_functions_of(project().at(pool_path), "pool");
    std::printf("data members of pool: %zu, public functions: %zu; data members of worker: %zu, ways to its parts: %zu\n",
                members.size(), functions.size(), data_members_of(project().at(worker_path), "worker").size(),
                ways_to_parts(project()).size());
    EXPECT_GE(members.size(), 10U) << "the rule sees them";
    EXPECT_LE(functions.size(), 35U);
    EXPECT_GE(ways_to_parts(project()).size(), 4U);
}

// A worker and a pool with these members.
source_tree runtime_with(const std::string& of_worker, const std::string& of_pool) {
    return {
        {worker_path, "class worker {\npublic:\n    own_state& own_part() noexcept { return own_; }\n" + of_worker +
                          "\nprivate:\n    own_state own_;\n};\n"},
        {pool_path,
         "class pool {\npublic:\n    threading::crew& crew() { return crew_; }\nprivate:\n    threading::crew crew_;\n" +
             of_pool + "};\n"},
        {"parley/detail/runtime/own_state.hpp", "// Its thread alone touches it.\n#pragma once\nstruct own_state {\n};\n"},
        {"parley/detail/runtime/crew.hpp", "// Any thread may touch it.\n#pragma once\nclass crew {\n};\n"},
    };
}

std::vector<std::string> names(const std::vector<data_member>& members) {
    std::vector<std::string> all;
    for (const data_member& m : members) all.push_back(m.name + (m.is_public ? "" : "*"));
    return all;
}

TEST(PartsRules, DataMembersAreFoundAmongAllElse) {
    const std::string text = R"(
class other { int hidden; };
class alignas(64) it final {
    int first;
public:
    explicit it(int n) : first(n), list_{n} {}
    ~it() { if (first) { done(); } }
    it& operator=(const it&) = delete;
    bool operator==(const it&) const = default;
    [[nodiscard]] bool is_so() const noexcept { return {}; }
    template <class F>
    void call(F f) { f(); }
    using type = int;
    enum class kind : unsigned char { one, two };
    static constexpr int most = 3;
    struct inner { int deep; };
    friend class worker;
    [[no_unique_address]] part<task, box> odd;
    sync::hint<int> thread{0};  // a comment; with int words;
    std::unique_ptr<void, void (*)(void*)> owned;
    task* job = nullptr, *next = nullptr;
private:
    void work();
    std::uint32_t many[4] = {1, 2};
    const bool flag_;
};)";
    EXPECT_EQ(names(data_members_of(text, "it")),
              (std::vector<std::string>{"first*", "odd", "thread", "owned", "job", "many*", "flag_*"}));
    EXPECT_EQ(public_functions_of(text, "it"), (std::vector<std::string>{"call", "is_so"}));
    EXPECT_EQ(names(data_members_of("struct it : base { int a; void f(); bool b{false}; };", "it")),
              (std::vector<std::string>{"a", "b"}));
    EXPECT_ANY_THROW((void)data_members_of(text, "nothing"));
}

TEST(PartsRules, PublicDataIsSeen) {
    EXPECT_EQ(public_data_breaches(runtime_with("", "")), none);
    EXPECT_EQ(public_data_breaches(runtime_with("    deque tasks;", "")), (breaches{worker_path + ": worker::tasks"}));
    EXPECT_EQ(public_data_breaches(runtime_with("    sync::hint<int> a{0}, b{0};\n    pool& home;", "")).size(), 2U);
    EXPECT_EQ(public_data_breaches(runtime_with("", "public:\n    sync::lobby lobby;\n")).size(), 1U);
}

TEST(PartsRules, WhoReachesIntoAWorkerIsSeen) {
    source_tree tree = runtime_with("", "");
    EXPECT_EQ(part_breaches(tree), none);
    for (const std::string bad : {"self.own_part().tasks.push(t);", "threading::current -> own_part ().depth = 1;"}) {
        for (const std::string path : {"parley/scope.hpp", "parley/farm/x.cpp", "parley/tasking/x.cpp",
                                       "broker/client/x.cpp", "lab/peers/x.hpp", "parley/detail/trace/x.hpp"}) {
            tree[path] = "void f() {\n    " + bad + "\n}\n";
            EXPECT_EQ(part_breaches(tree), (breaches{path + ":2: own_part"})) << bad;
            tree.erase(path);
        }
        tree["parley/detail/runtime/x.cpp"] = bad;
        tree["tests/parley/runtime/x.cpp"] = bad;
        tree["parley/scope.hpp"] = "// " + bad + "\n" + "auto s = \"" + bad + "\";\n";
        EXPECT_EQ(part_breaches(tree), none) << bad;
    }
    tree = runtime_with("", "");
    tree[worker_path] = "class worker {\npublic:\n    void run();\n};\n";
    EXPECT_EQ(part_breaches(tree).size(), 1U) << "nothing could be seen then";
}

TEST(PartsRules, APartThatDoesNotSayWhoMayTouchItIsSeen) {
    source_tree tree = runtime_with("", "");
    EXPECT_EQ(owner_breaches(tree), none);
    tree["parley/detail/runtime/own_state.hpp"] = "// A worker's state.\n#pragma once\nstruct own_state {};\n";
    EXPECT_EQ(owner_breaches(tree).size(), 1U);
    tree["parley/detail/runtime/crew.hpp"] = "#pragma once\n// Any thread may touch it.\nclass crew {};\n";
    EXPECT_EQ(owner_breaches(tree).size(), 2U);
}

TEST(PartsRules, ACoreThatGrowsIsSeen) {
    const auto with_members = [](std::size_t number) {
        std::string text;
        for (std::size_t i = 0; i < number; ++i) text += "    int member" + std::to_string(i) + "_ = 0;\n";
        return runtime_with("", text);
    };
    EXPECT_EQ(core_breaches(with_members(14)), none);
    EXPECT_EQ(core_breaches(with_members(15)).size(), 1U);
    source_tree tree = with_members(0);
    tree["parley/detail/runtime/crew.hpp"] = "// Any thread may touch it.\n#pragma once\nclass crew : stand_ins {\n};\n";
    EXPECT_EQ(core_breaches(tree).size(), 1U);
}

}  // namespace
