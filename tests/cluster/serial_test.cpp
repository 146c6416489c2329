// Bytes between ranks: what goes in comes out, and bytes that nobody has written throw.
#include <parley/cluster/serial.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct point {
    double x = 0.0;
    int y = 0;
    friend bool operator==(const point&, const point&) = default;
};

// Has no state that stands for nothing.
struct whole {
    explicit whole(int v) : value(v) {}
    int value;
    friend bool operator==(const whole&, const whole&) = default;
};

struct mesh {
    std::string name;
    std::vector<point> cells;
    friend bool operator==(const mesh&, const mesh&) = default;
};

struct without_serializer {
    std::string name;
};

// Trivial to copy, yet it travels in its own way.
struct counted {
    int value = 0;
    static inline int written = 0;
};

enum class colour : std::uint8_t { red, green = 7 };

}  // namespace

template <>
struct parley::cluster::serializer<mesh> {
    static void write(parley::cluster::writer& w, const mesh& m) { w(m.name, m.cells); }
    static mesh read(parley::cluster::reader& r) {
        auto name = r.get<std::string>();
        return {std::move(name), r.get<std::vector<point>>()};
    }
};

template <>
struct parley::cluster::serializer<counted> {
    static void write(parley::cluster::writer& w, const counted& c) {
        ++counted::written;
        w(c.value);
    }
    static counted read(parley::cluster::reader& r) { return {r.get<int>()}; }
};

namespace {

using namespace parley::cluster;
using strings = std::vector<std::string>;

// Exactly as large as its bytes: a sanitizer sees each byte beyond.
template <class T>
bytes written(const T& value) {
    bytes all;
    writer w(all);
    w(value);
    EXPECT_EQ(w.size(), all.size());
    return {all.begin(), all.end()};
}

template <class T>
T there_and_back(const T& value) {
    const bytes all = written(value);
    reader r(all);
    T copy = r.get<T>();
    EXPECT_TRUE(r.at_end());
    return copy;
}

template <class T>
void comes_back(const T& value) {
    EXPECT_TRUE(there_and_back(value) == value);
}

// Any part of the bytes of `value` from the beginning is no whole value.
template <class T>
void needs_every_byte(const T& value) {
    const bytes all = written(value);
    for (std::size_t n = 0; n < all.size(); ++n) {
        const bytes part(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
        reader r(part);
        EXPECT_THROW((void)r.get<T>(), malformed) << n << " of " << all.size() << " bytes";
    }
}

// A length, and one byte of what it promises.
bytes promise(std::uint64_t length) {
    bytes all;
    writer w(all);
    w(length, std::byte{1});
    return {all.begin(), all.end()};
}

template <class T>
void does_not_believe(std::uint64_t length) {
    const bytes all = promise(length);
    reader r(all);
    EXPECT_THROW((void)r.get<T>(), malformed) << length;
}

TEST(Serial, WhatIsTrivialToCopyComesBack) {
    comes_back(42);
    comes_back(-1.5);
    comes_back(true);
    comes_back(colour::green);
    comes_back(point{2.5, -3});
    comes_back(std::array<int, 3>{1, 2, 3});
    comes_back(std::optional<int>(5));
    comes_back(std::optional<int>());
    comes_back(whole(6));
}

TEST(Serial, StringsComeBack) {
    comes_back(std::string());
    comes_back(std::string("text"));
    comes_back(std::string("with \0 within", 13));
    comes_back(std::string(100'000, 'x'));
}

TEST(Serial, VectorsComeBack) {
    comes_back(std::vector<int>());
    comes_back(std::vector<int>{1, 2, 3});
    comes_back(std::vector<point>{{1.0, 2}, {3.0, 4}});
    comes_back(strings{"", "a", "bc"});
    comes_back(std::vector<std::vector<int>>{{}, {1}, {2, 3}});
    comes_back(std::vector<std::vector<strings>>{{}, {{"a"}, {}}, {{"b", "c"}}});
}

TEST(Serial, VectorsOfBoolComeBack) {
    comes_back(std::vector<bool>());
    comes_back(std::vector<bool>{true, false, false, true, true, false, true, false, true});
    comes_back(std::vector<std::vector<bool>>{{true}, {}, {false, true}});
}

TEST(Serial, VectorsOfWhatHasNoDefaultComeBack) {
    comes_back(std::vector<whole>());
    comes_back(std::vector<whole>{whole(1), whole(2)});
}

TEST(Serial, OptionalsComeBack) {
    comes_back(std::optional<std::string>());
    comes_back(std::optional<std::string>(""));
    comes_back(std::optional<std::string>("text"));
    comes_back(std::optional<std::optional<std::string>>(std::optional<std::string>()));
    comes_back(std::vector<std::optional<strings>>{std::nullopt, strings{}, strings{"a"}});
}

TEST(Serial, PairsAndTuplesComeBack) {
    comes_back(std::pair(1, 2.5));
    comes_back(std::pair(std::string("a"), std::vector<int>{1, 2}));
    comes_back(std::tuple<>());
    comes_back(std::tuple(1, std::string("b"), std::optional<std::string>("c")));
    comes_back(std::vector<std::tuple<std::string, std::pair<int, std::string>>>{{"a", {1, "b"}}, {"", {2, ""}}});
}

TEST(Serial, ArraysOfWhatIsNotTrivialComeBack) {
    comes_back(std::array<std::string, 3>{"a", "", "c"});
    comes_back(std::array<std::vector<int>, 2>{std::vector<int>{1}, std::vector<int>{}});
}

TEST(Serial, AUsersTypeComesBack) {
    comes_back(mesh{"wing", {{1.0, 2}, {3.0, 4}}});
    comes_back(std::vector<mesh>{{"a", {}}, {"", {{5.0, 6}}}});
    comes_back(std::optional<mesh>(mesh{"b", {}}));
}

TEST(Serial, AUsersSerializerComesBeforeACopyOfTheBytes) {
    counted::written = 0;
    const std::vector<counted> back = there_and_back(std::vector<counted>{{1}, {2}});
    EXPECT_EQ(counted::written, 2);
    EXPECT_EQ(back.at(1).value, 2);
}

TEST(Serial, ValuesFollowEachOtherInTheirOrder) {
    bytes all;
    writer w(all);
    w(1, std::string("two"), 3.0);
    reader r(all);
    EXPECT_EQ(r.get<int>(), 1);
    EXPECT_EQ(r.get<std::string>(), "two");
    EXPECT_FALSE(r.at_end());
    EXPECT_EQ(r.rest().size(), sizeof(double));
    EXPECT_EQ(r.get<double>(), 3.0);
    EXPECT_TRUE(r.at_end());
}

TEST(Serial, BytesThatEndTooEarlyThrow) {
    needs_every_byte(7);
    needs_every_byte(std::string("text"));
    needs_every_byte(std::vector<int>{1, 2, 3});
    needs_every_byte(std::vector<bool>{true, false, true});
    needs_every_byte(std::optional<std::string>("text"));
    needs_every_byte(std::array<std::string, 2>{"a", "bc"});
    needs_every_byte(mesh{"wing", {{1.0, 2}, {3.0, 4}}});
    needs_every_byte(std::tuple(1, strings{"a", "", "bc"}, std::vector<std::vector<int>>{{1}, {}, {2, 3}},
                                std::pair(std::string("d"), std::optional<strings>(strings{"e"})), point{1.0, 2}));
}

TEST(Serial, WhatIsTooMuchIsLeft) {
    bytes all = written(std::string("text"));
    all.push_back(std::byte{0});
    reader r(all);
    EXPECT_EQ(r.get<std::string>(), "text");
    EXPECT_FALSE(r.at_end());
}

TEST(Serial, AFailedReadDoesNotGoBeyondTheEnd) {
    const bytes two(2);
    reader r(two);
    EXPECT_THROW((void)r.get<int>(), malformed);
    EXPECT_EQ(r.rest().size(), 2u);
    EXPECT_THROW((void)r.raw(3), malformed);
    EXPECT_EQ(r.raw(2).size(), 2u);
    EXPECT_TRUE(r.at_end());
}

// Not even memory is taken for it.
TEST(Serial, AHugeLengthThrows) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t length : {std::uint64_t{2}, std::uint64_t{1} << 32, std::uint64_t{1} << 61, most / 4 + 1,
                                       most / 8 + 1, most / 2 + 1, most - 7, most}) {
        does_not_believe<std::string>(length);
        does_not_believe<bytes>(length);
        does_not_believe<std::vector<int>>(length);
        does_not_believe<std::vector<point>>(length);
        does_not_believe<std::vector<bool>>(length);
        does_not_believe<strings>(length);
        does_not_believe<std::vector<std::vector<int>>>(length);
    }
}

// Bytes that are mostly zero, so that lengths are short, are read or throw; nothing else happens.
TEST(Serial, AnyBytesAreReadOrThrow) {
    parley::base::rng random(1);
    int read = 0;
    int thrown = 0;
    for (int round = 0; round < 20'000; ++round) {
        bytes all(random.below(64));
        for (std::byte& b : all) b = static_cast<std::byte>(random.below(12) == 0 ? random.below(256) & 15 : 0);
        reader r(all);
        try {
            (void)r.get<std::vector<std::pair<std::string, std::optional<strings>>>>();
            (void)r.get<std::vector<bool>>();
            ++read;
        } catch (const malformed&) {
            ++thrown;
        }
    }
    EXPECT_GT(read, 1000);
    EXPECT_GT(thrown, 1000);
}

static_assert(serializable<int> && serializable<point> && serializable<whole> && serializable<colour>);
static_assert(serializable<std::string> && serializable<strings> && serializable<std::vector<bool>>);
static_assert(serializable<mesh> && serializable<std::vector<mesh>> && serializable<std::optional<mesh>>);
static_assert(serializable<std::pair<int, std::string>> && serializable<std::array<std::string, 2>>);

static_assert(!serializable<int*> && !serializable<const char*> && !serializable<int point::*>);
static_assert(!serializable<std::string_view> && !serializable<std::span<int>> && !serializable<std::span<int, 2>>);
static_assert(!serializable<without_serializer> && !serializable<std::unique_ptr<int>>);
static_assert(!serializable<std::map<int, int>>);

// Nor in anything else.
static_assert(!serializable<std::vector<int*>> && !serializable<std::vector<std::string_view>>);
static_assert(!serializable<std::optional<int*>> && !serializable<std::optional<std::string_view>>);
static_assert(!serializable<std::array<int*, 2>> && !serializable<std::array<std::string_view, 2>>);
static_assert(!serializable<std::pair<int, int*>> && !serializable<std::tuple<std::span<int>, int>>);
static_assert(!serializable<std::vector<without_serializer>> && !serializable<std::optional<without_serializer>>);
static_assert(!serializable<std::array<std::optional<int*>, 2>>);

}  // namespace
