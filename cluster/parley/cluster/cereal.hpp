/// @file
/// Types that cereal can write travel between ranks (libcereal-dev; nothing else of Parley needs it).
///
///     template <> struct parley::cluster::serializer<mesh> : parley::cluster::by_cereal<mesh> {};
#pragma once

#include <parley/cluster/errors.hpp>
#include <parley/cluster/serial.hpp>

#include <cereal/archives/binary.hpp>

#include <exception>
#include <sstream>
#include <string>
#include <utility>

namespace parley::inline v0::cluster {

/// A serializer that writes by cereal. T is default-constructible and has cereal's serialize(), or save() and load().
/// All ranks are of the same kind of machine: cereal's binary archive. What is copied twice on the way costs less than
/// cereal itself.
template <class T>
struct by_cereal {
    /// Writes `value` by cereal. Throws what cereal throws, and std::bad_alloc.
    static void write(writer& w, const T& value) {
        std::ostringstream out;
        cereal::BinaryOutputArchive{out}(value);
        w(std::move(out).str());
    }
    /// Throws malformed for bytes that are no T.
    static T read(reader& r) {
        std::istringstream in(r.get<std::string>());
        T value;
        try {
            cereal::BinaryInputArchive{in}(value);
        } catch (const std::exception& e) {
            throw malformed(std::string("parley: what cereal has written cannot be read: ") + e.what());
        }
        if (in.peek() != std::istringstream::traits_type::eof())
            throw malformed("parley: what cereal has written is longer than what it reads");
        return value;
    }
};

}  // namespace parley::inline v0::cluster
