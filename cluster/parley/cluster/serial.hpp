/// @file
/// Values to bytes and back, between ranks of the same program on machines of the same kind.
#pragma once

#include <parley/cluster/errors.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

/// A message, or a part of one.
using bytes = std::vector<std::byte>;

/// How a T travels. Specialise it for your own types:
///
///     template <> struct parley::cluster::serializer<mesh> {
///         static void write(parley::cluster::writer& w, const mesh& m) { w(m.name, m.cells); }
///         static mesh read(parley::cluster::reader& r) { return {r.get<std::string>(), r.get<std::vector<cell>>()}; }
///     };
///
/// What is trivially copyable, strings, vectors, arrays, optionals, pairs and tuples of such travel at once.
template <class T>
struct serializer {};

class writer;
class reader;

namespace detail {

// Trivial to copy, but what they point to stays behind.
template <class T>
inline constexpr bool refers_elsewhere = std::is_pointer_v<T> || std::is_member_pointer_v<T>;
template <class C, class Traits>
inline constexpr bool refers_elsewhere<std::basic_string_view<C, Traits>> = true;
template <class T, std::size_t N>
inline constexpr bool refers_elsewhere<std::span<T, N>> = true;
template <class T>
inline constexpr bool refers_elsewhere<std::reference_wrapper<T>> = true;
template <class T, std::size_t N>
inline constexpr bool refers_elsewhere<std::array<T, N>> = refers_elsewhere<T>;
template <class T>
inline constexpr bool refers_elsewhere<std::optional<T>> = refers_elsewhere<T>;
template <class A, class B>
inline constexpr bool refers_elsewhere<std::pair<A, B>> = refers_elsewhere<A> || refers_elsewhere<B>;
template <class... T>
inline constexpr bool refers_elsewhere<std::tuple<T...>> = (refers_elsewhere<T> || ...);

}  // namespace detail

/// Types that travel as the bytes that they consist of. A pointer that is a member of a struct cannot be seen here: it
/// would name another rank's memory.
template <class T>
concept copied_as_bytes = std::is_trivially_copyable_v<T> && !detail::refers_elsewhere<T>;

/// Types with a serializer of their own.
template <class T>
concept has_serializer = requires(writer& w, reader& r, const T& value) {
    serializer<T>::write(w, value);
    { serializer<T>::read(r) } -> std::convertible_to<T>;
};

/// Types that can travel between ranks.
template <class T>
concept serializable = copied_as_bytes<T> || has_serializer<T>;

/// Appends values to a message. Throws std::bad_alloc.
class writer {
public:
    /// Writes behind what `to` holds.
    explicit writer(bytes& to) noexcept : to_(to) {}

    /// Writes these values, one after the other.
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    /// Writes bytes as they are; not how many.
    void raw(std::span<const std::byte> data) {
        if (data.empty()) return;
        const std::size_t before = to_.size();
        to_.resize(before + data.size());
        std::memcpy(to_.data() + before, data.data(), data.size());
    }
    /// As many bytes more, of which only their time counts: on a simulated network, whose ranks could not hold them all.
    void pad(std::size_t size) noexcept { padding_ += size; }
    /// Takes back what was written, and padded, since size() was this.
    void cut(std::size_t data, std::size_t padding) {
        to_.resize(data);
        padding_ = padding;
    }
    /// How many bytes there are.
    [[nodiscard]] std::size_t data() const noexcept { return to_.size(); }
    /// How many bytes pad() has added, which nobody holds.
    [[nodiscard]] std::size_t padding() const noexcept { return padding_; }
    /// Both together.
    [[nodiscard]] std::size_t size() const noexcept { return to_.size() + padding_; }

private:
    template <class T>
    void put(const T& value) {
        static_assert(serializable<T>, "this type cannot travel between ranks: specialise parley::cluster::serializer");
        if constexpr (has_serializer<T>) serializer<T>::write(*this, value);
        else raw(std::as_bytes(std::span(&value, 1)));
    }
    bytes& to_;
    std::size_t padding_ = 0;
};

/// Reads values as a writer has written them. Throws `malformed` where the bytes end too early.
class reader {
public:
    /// Reads these bytes, which outlive it.
    explicit reader(std::span<const std::byte> from) noexcept : from_(from) {}

    /// The next value, which was written as a T.
    template <class T>
    [[nodiscard]] T get() {
        static_assert(serializable<T>, "this type cannot travel between ranks: specialise parley::cluster::serializer");
        if constexpr (has_serializer<T>) {
            return serializer<T>::read(*this);
        } else if constexpr (std::is_same_v<T, bool>) {  // which not every byte is
            return raw(1).front() != std::byte{0};
        } else {
            const std::span<const std::byte> data = raw(sizeof(T));
            std::array<std::byte, sizeof(T)> copy;
            std::memcpy(copy.data(), data.data(), sizeof(T));
            return std::bit_cast<T>(copy);
        }
    }
    /// The next bytes, so many.
    [[nodiscard]] std::span<const std::byte> raw(std::size_t size) {
        if (size > from_.size()) throw malformed("parley: a message between ranks ends too early");
        const std::span<const std::byte> data = from_.first(size);
        from_ = from_.subspan(size);
        return data;
    }
    /// Is everything read?
    [[nodiscard]] bool at_end() const noexcept { return from_.empty(); }
    /// What is not read yet.
    [[nodiscard]] std::span<const std::byte> rest() const noexcept { return from_; }

private:
    std::span<const std::byte> from_;
};

namespace detail {

// Of something that takes at least one byte each.
inline std::size_t length(reader& r) {
    const auto n = r.get<std::uint64_t>();
    if (n > r.rest().size()) throw malformed("parley: a message between ranks ends too early");
    return static_cast<std::size_t>(n);
}

}  // namespace detail

/// @cond
template <>
struct serializer<std::string> {
    static void write(writer& w, const std::string& s) {
        w(std::uint64_t{s.size()});
        w.raw(std::as_bytes(std::span(s)));
    }
    static std::string read(reader& r) {
        const std::span<const std::byte> data = r.raw(detail::length(r));
        return {reinterpret_cast<const char*>(data.data()), data.size()};
    }
};

template <serializable T>
struct serializer<std::vector<T>> {
    static constexpr bool is_block = copied_as_bytes<T> && !has_serializer<T> && !std::is_same_v<T, bool>;

    static void write(writer& w, const std::vector<T>& v) {
        w(std::uint64_t{v.size()});
        if constexpr (is_block) w.raw(std::as_bytes(std::span(v)));
        else
            for (const T& x : v) w(static_cast<const T&>(x));
    }
    static std::vector<T> read(reader& r) {
        const std::size_t n = detail::length(r);
        if constexpr (is_block && std::is_default_constructible_v<T>) {
            if (n > r.rest().size() / sizeof(T)) throw malformed("parley: a message between ranks ends too early");
            const std::span<const std::byte> data = r.raw(n * sizeof(T));
            std::vector<T> v(n);
            if (n != 0) std::memcpy(static_cast<void*>(v.data()), data.data(), data.size());
            return v;
        } else {
            std::vector<T> v;
            v.reserve(n);
            for (std::size_t i = 0; i < n; ++i) v.push_back(r.template get<T>());
            return v;
        }
    }
};

template <serializable T>
    requires(!copied_as_bytes<std::optional<T>>)
struct serializer<std::optional<T>> {
    static void write(writer& w, const std::optional<T>& o) {
        w(o.has_value());
        if (o) w(*o);
    }
    static std::optional<T> read(reader& r) {
        if (!r.get<bool>()) return std::nullopt;
        return r.get<T>();
    }
};

template <serializable A, serializable B>
    requires(!copied_as_bytes<std::pair<A, B>>)
struct serializer<std::pair<A, B>> {
    static void write(writer& w, const std::pair<A, B>& p) { w(p.first, p.second); }
    static std::pair<A, B> read(reader& r) {
        auto first = r.get<A>();
        return {std::move(first), r.get<B>()};
    }
};

template <serializable... T>
    requires(!copied_as_bytes<std::tuple<T...>>)
struct serializer<std::tuple<T...>> {
    static void write(writer& w, const std::tuple<T...>& t) {
        std::apply([&](const T&... x) { w(x...); }, t);
    }
    // Braces: from left to right.
    static std::tuple<T...> read(reader& r) { return std::tuple<T...>{r.get<T>()...}; }
};

template <serializable T, std::size_t N>
    requires(!copied_as_bytes<std::array<T, N>>)
struct serializer<std::array<T, N>> {
    static void write(writer& w, const std::array<T, N>& a) {
        for (const T& x : a) w(x);
    }
    static std::array<T, N> read(reader& r) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<T, N>{(static_cast<void>(I), r.get<T>())...};
        }(std::make_index_sequence<N>());
    }
};

/// @endcond

}  // namespace parley::inline v0::cluster
