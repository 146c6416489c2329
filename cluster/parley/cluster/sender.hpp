// What every part of a rank sends through: fills in the header and counts.
#pragma once

#include <parley/cluster/message.hpp>
#include <parley/cluster/statistics.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

class sender {
public:
    sender(position self, std::uint32_t set_number, std::uint32_t epoch, std::uint32_t types, outbox& to) noexcept
        : self_(self), set_number_(set_number), epoch_(epoch), types_(types), to_(&to) {}

    void send(position to, header h, bytes payload = {}) {
        h.set_number = set_number_;
        h.epoch = epoch_;
        h.types = types_;
        h.from = self_;
        h.size = payload.size();
        if (!is_of_waves(h.kind)) ++sent_;
        if (is_work(h.kind)) ++work_sent_;
        ++count.messages;
        count.bytes += sizeof(header) + payload.size() + h.padding;
        meet(to);
        to_->send(to, h, std::move(payload));
    }
    void received(const header& h) {
        if (!is_of_waves(h.kind)) ++received_;
        if (is_work(h.kind)) ++work_received_;
        meet(h.from);
    }

    // Messages that bring something to do; of any kind but the waves' own.
    [[nodiscard]] std::uint64_t work_sent() const noexcept { return work_sent_; }
    [[nodiscard]] std::uint64_t work_received() const noexcept { return work_received_; }
    [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
    [[nodiscard]] std::uint64_t received() const noexcept { return received_; }
    [[nodiscard]] position self() const noexcept { return self_; }

    statistics count;

private:
    static bool is_work(message_kind k) noexcept { return k == message_kind::tasks || k == message_kind::results; }

    void meet(position other) {
        const auto at = std::ranges::lower_bound(met_, other);
        if (at != met_.end() && *at == other) return;
        met_.insert(at, other);
        count.connections = count.most_connections = met_.size();
    }

    position self_;
    std::uint32_t set_number_;
    std::uint32_t epoch_;
    std::uint32_t types_;
    outbox* to_;
    std::uint64_t work_sent_ = 0, work_received_ = 0, sent_ = 0, received_ = 0;
    std::vector<position> met_;  // in ascending order
};

}  // namespace parley::inline v0::cluster
