// What spawn, async and fork_join take, and what they refuse where they are called.
#include "tests/parley/api/support.hpp"

#include <mutex>
#include <string>

namespace {

using namespace api_test;

struct move_only {
    std::unique_ptr<int> value;
    int operator()() { return ++*value; }
};
struct takes_a_word {
    void operator()(std::string) const {}
};
struct once_only {
    void operator()() && {}
};
struct uncopyable_function {
    std::mutex* guard;
    explicit uncopyable_function(std::mutex& m) : guard(&m) {}
    uncopyable_function(const uncopyable_function&) = delete;
    void operator()() const { const std::scoped_lock here(*guard); }
};

template <class... Parts>
constexpr bool spawns = requires(Parts&&... parts) { parley::spawn(std::forward<Parts>(parts)...); };
template <class... Parts>
constexpr bool spawns_in_scope = requires(parley::scope& s, Parts&&... parts) { s.spawn(std::forward<Parts>(parts)...); };
template <class... Parts>
constexpr bool is_async = requires(Parts&&... parts) { parley::async(std::forward<Parts>(parts)...); };
template <class... Parts>
constexpr bool forks = requires(Parts&&... parts) { parley::fork_join(std::forward<Parts>(parts)...); };
template <class... Parts>
constexpr int taken = int{spawns<Parts...>} + int{spawns_in_scope<Parts...>} + int{is_async<Parts...>};
using parley::priority;

TEST(KeptCall, AMoveOnlyFunctionWithANameHasToBeMoved) {
    static_assert(taken<move_only> == 3 && taken<priority, move_only> == 2);  // spawn() knows no priorities
    static_assert(taken<move_only&> == 0 && taken<priority, move_only&> == 0);
    static_assert(taken<const move_only&> == 0 && taken<uncopyable_function&> == 0);
    move_only f{std::make_unique<int>(1)};
    EXPECT_EQ(parley::async(std::move(f)).get(), 2);
}

TEST(KeptCall, AMoveOnlyArgumentWithANameHasToBeMoved) {
    using owner = std::unique_ptr<int>;
    using function = void (*)(const owner&);
    static_assert(taken<function, owner> == 3 && taken<function, owner&> == 0 && taken<priority, function, owner&> == 0);
}

TEST(KeptCall, WrongArgumentsDoNotCompile) {
    static_assert(taken<takes_a_word, std::string> == 3 && taken<takes_a_word, const char*> == 3);
    static_assert(taken<takes_a_word> == 0 && taken<takes_a_word, int*> == 0 && taken<int> == 0);
    static_assert(taken<takes_a_word, std::string, int> == 0);
}

TEST(KeptCall, AFunctionForOneCallIsTakenWhereItIsCalledOnce) {
    static_assert(is_async<once_only> && !spawns<once_only> && !spawns_in_scope<once_only>);
}

// Nothing is kept: what has a name stays where it is.
TEST(KeptCall, ForkJoinTakesWhatCannotBeCopiedAndNothingThatNeedsArguments) {
    static_assert(forks<move_only&, uncopyable_function&> && forks<move_only&, move_only&, uncopyable_function&>);
    static_assert(!forks<move_only&, takes_a_word> && !forks<takes_a_word, move_only&>);
    static_assert(!forks<move_only&, move_only&, takes_a_word> && !forks<move_only&, int, move_only&>);
    std::mutex m;
    move_only f{std::make_unique<int>(1)};
    uncopyable_function g(m);
    EXPECT_EQ(std::get<0>(parley::fork_join(f, g)), 2);
}

// Neither operator& nor the comma nor a new of its own concerns who keeps and hands out an object.
struct rude {
    int value = 0;
    rude* operator&() = delete;
    const rude* operator&() const = delete;
    template <class T>
    friend void operator,(const rude&, T&&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new(std::size_t, void*) = delete;
    int operator()() const { return value; }
};

TEST(KeptCall, FunctionsArgumentsAndResultsMayHaveOperatorsOfTheirOwn) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> sum{0};
            EXPECT_EQ(parley::async([](rude r) { return r; }, rude{3}).get().value, 3);
            EXPECT_EQ(parley::async(rude{4}).get(), 4);
            parley::scope s;
            s.spawn(rude{5});
            s.spawn([&sum](rude r) { sum += r.value; }, rude{6});
            s.wait();
            EXPECT_EQ(sum, 6);
            const auto [a, b] = parley::fork_join([] { return rude{7}; }, [] { return rude{8}; });
            EXPECT_EQ(a.value + b.value, 15);
        });
    });
}

}  // namespace
