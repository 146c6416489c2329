#include <parley/cluster/waves.hpp>

#include <cstdint>
#include <utility>

namespace parley::inline v0::cluster {

void waves::begin(std::uint32_t number) {
    number_ = number;
    is_open_ = true;
    reports_ = 0;
    sent_ = received_ = 0;
    said_.clear();
    if (is_root_) ++out_->count.waves;
    for (const position c : children_) out_->send(c, {.kind = message_kind::wave, .wave = number});
}

bool waves::reported(const header& h, bytes said) {
    if (!is_open_ || h.wave != number_) return false;
    ++reports_;
    sent_ += h.sent;
    received_ += h.received;
    if (!said.empty()) said_.push_back(std::move(said));
    return true;
}

void waves::report(std::uint64_t sent, std::uint64_t received, bytes said) {
    is_open_ = false;
    out_->send(parent_,
               {.kind = message_kind::report, .wave = number_, .sent = sent_ + sent, .received = received_ + received},
               std::move(said));
}

bool waves::end(std::uint64_t sent, std::uint64_t received) {
    is_open_ = false;
    const bool nothing_moved = has_earlier_ && received_earlier_ == sent_ + sent;
    has_earlier_ = true;
    received_earlier_ = received_ + received;
    return nothing_moved;
}

void waves::tell(message_kind what, const bytes& said) {
    for (const position c : children_) out_->send(c, {.kind = what}, said);
}

}  // namespace parley::inline v0::cluster
