// What goes over the broker's socket (SOCK_SEQPACKET): programs come and go by it, and are told that their allotment has
// changed. One struct is one packet; both sides are on one machine and agree by `version`.
//
//   program -> broker     hello, bye (or it closes the socket, or dies)
//   broker -> program     welcome, with the file descriptors of its two pages (pages.hpp: allotment, feedback); or refuse
//                         ring: look at the allotment page. Dropped where the program does not read: the page is what
//                         counts.
//   observer -> broker    observe, as often as it wants a picture, but only after it has got the last one
//   broker -> observer    rows, an end_row last
#pragma once

#include <broker/policy/ids.hpp>

#include <array>
#include <cstdint>

namespace parley::inline v0::broker {

inline constexpr std::uint32_t packet_magic = 0x59'4c'52'50;  // "PRLY"
inline constexpr std::uint16_t packet_version = 1;

enum class packet_type : std::uint16_t { hello = 1, bye, welcome, refuse, ring, observe, row };

struct packet_head {
    std::uint32_t magic = packet_magic;
    std::uint16_t version = packet_version;
    packet_type type = packet_type::hello;
};

// Its process and user are what the system says of the socket's other end.
struct hello {
    packet_head head{.type = packet_type::hello};
    std::uint32_t most = 0;    // workers that it can have, > 0
    std::uint32_t weight = 1;  // 1 to most_weight
    // Its workers are the threads of another process below it (parley broker run): they cannot be suspended, only moved,
    // and its feedback is what the system says of their run time.
    std::uint32_t is_led = 0;
    std::uint32_t unused = 0;
    std::array<std::uint64_t, 16> allowed{};  // cores that it may run on at all
    std::array<char, 32> name{};              // ends with 0
};

// Whether it may run on a core, by the system's number.
[[nodiscard]] constexpr bool allows(const hello& h, std::uint32_t number) noexcept {
    return (h.allowed[number / 64] >> (number % 64) & 1) != 0;
}

struct bye {
    packet_head head{.type = packet_type::bye};
};

struct welcome {
    packet_head head{.type = packet_type::welcome};
    program_id program = 0;
    nanoseconds sample = 0;   // how often the broker reads the feedback
    nanoseconds quantum = 0;  // and how often it allots
};

struct refuse {
    packet_head head{.type = packet_type::refuse};
    std::array<char, 120> why{};  // one line, ends with 0
};

struct ring {
    packet_head head{.type = packet_type::ring};
    std::uint32_t generation = 0;
    std::uint32_t unused = 0;
};

struct observe {
    packet_head head{.type = packet_type::observe};
    std::uint32_t events = 0;  // as many of the last ones of each section
    std::uint32_t unused = 0;
};

// A picture is one machine_row, then any number of the others, then one end_row.
enum class row_kind : std::uint32_t { machine = 1, program, cores, event, end };

struct machine_row {
    packet_head head{.type = packet_type::row};
    row_kind kind = row_kind::machine;
    std::uint32_t cores = 0;
    std::uint32_t sections = 0;
    std::uint32_t programs = 0;
    std::int32_t pid = 0;  // the broker's
    std::uint32_t unused = 0;
    nanoseconds clock = 0, quantum = 0;
};

struct program_row {
    packet_head head{.type = packet_type::row};
    row_kind kind = row_kind::program;
    std::uint32_t section = 0;  // that leads it
    program_id program = 0;
    std::int32_t pid = 0;
    user_id user = 0;
    std::uint32_t judged = 0;  // program_class
    std::uint32_t desire = 0;
    std::uint32_t cores = 0;
    std::uint32_t is_asleep = 0;       // or not: 0
    nanoseconds held = 0, useful = 0;  // in the last quantum
    std::array<char, 32> name{};       // ends with 0
};

struct core_entry {
    std::uint32_t number = 0;  // the system's
    std::uint32_t holders = 0;
    program_id first = 0;  // of them; 0: none
};
struct cores_row {
    packet_head head{.type = packet_type::row};
    row_kind kind = row_kind::cores;
    std::uint32_t section = 0;  // that owns them
    std::uint32_t count = 0;    // entries in use
    std::uint32_t unused = 0;
    std::array<core_entry, 32> cores{};
};

enum class event_kind : std::uint32_t { gets = 1, loses, leads, moved, could_not_be_moved, freed };

struct event_row {
    packet_head head{.type = packet_type::row};
    row_kind kind = row_kind::event;
    std::uint32_t section = 0;  // that says so
    nanoseconds when = 0;
    program_id program = 0;
    event_kind what = event_kind::gets;
    std::uint32_t why = 0;     // reason, of gets, loses and leads
    std::uint32_t number = 0;  // of the core, the system's; of gets and loses
    std::uint32_t unused = 0;
};

struct end_row {
    packet_head head{.type = packet_type::row};
    row_kind kind = row_kind::end;
    std::uint32_t unused = 0;
};

}  // namespace parley::inline v0::broker
