#include <broker/daemon/observer.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unistd.h>
#include <utility>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

constexpr std::uint32_t most_events = 256;  // of a section
constexpr int most_packets = 64;            // at a time

program_row row_of(const program_view& p, section_id leader) {
    program_row r{.section = leader,
                  .program = p.program,
                  .pid = p.pid,
                  .user = p.user,
                  .judged = static_cast<std::uint32_t>(p.judged),
                  .desire = p.desire,
                  .cores = p.cores,
                  .is_asleep = p.is_asleep ? 1u : 0u,
                  .held = p.held,
                  .useful = p.useful};
    std::copy_n(p.name.begin(), std::min(p.name.size(), r.name.size() - 1), r.name.begin());
    return r;
}

}  // namespace

void observer::asks(std::uint32_t events) noexcept {
    events_ = std::min(events, most_events);
    has_asked_ = true;
}

void observer::begin(std::uint32_t sections) noexcept {
    has_asked_ = false;
    missing_ = sections;
    parts_.clear();
}

bool observer::add(section_view part) {
    if (missing_ == 0) return false;
    parts_.push_back(std::move(part));
    return --missing_ == 0;
}

template <class Row>
void observer::put(const Row& row) {
    std::vector<std::byte> bytes(sizeof row);
    std::memcpy(bytes.data(), &row, sizeof row);
    packets_.push_back(std::move(bytes));
}

void observer::compose(const picture_frame& frame) {
    std::sort(parts_.begin(), parts_.end(), [](const auto& a, const auto& b) { return a.section < b.section; });
    std::size_t programs = 0;
    for (const section_view& v : parts_) programs += v.led.size();
    put(machine_row{.cores = frame.cores,
                    .sections = frame.sections,
                    .programs = static_cast<std::uint32_t>(programs),
                    .pid = getpid(),
                    .clock = frame.clock,
                    .quantum = frame.quantum});
    for (const section_view& v : parts_) {
        for (const program_view& p : v.led) put(row_of(p, v.section));
        cores_row row{.section = v.section};
        for (const core_view& c : v.cores) {
            row.cores[row.count++] = {c.number, c.holders, c.first};
            if (row.count < row.cores.size() && &c != &v.cores.back()) continue;
            put(row);
            row = {.section = v.section};
        }
        const std::size_t skip = v.events.size() - std::min<std::size_t>(v.events.size(), events_);
        for (std::size_t i = skip; i < v.events.size(); ++i) {
            const event& e = v.events[i];
            put(event_row{.section = v.section,
                          .when = e.when,
                          .program = e.program,
                          .what = e.what,
                          .why = static_cast<std::uint32_t>(e.why),
                          .number = e.number});
        }
    }
    put(end_row{});
    parts_.clear();
}

bool observer::send_on() {
    for (int i = 0; i < most_packets && !packets_.empty(); ++i) {
        if (!send_packet(socket(), packets_.front().data(), packets_.front().size())) {
            if (errno == EAGAIN || errno == ENOBUFS) return true;
            packets_.clear();  // it has gone, as the acceptor will hear
            return false;
        }
        packets_.pop_front();
    }
    return !packets_.empty();
}

}  // namespace parley::inline v0::broker::service
