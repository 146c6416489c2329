#include <parley/cluster/router.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace parley::inline v0::cluster {

router::router(const overlay& graph, const options& how, sender& out)
    : graph_(&graph), out_(&out), is_direct_(how.results == routing::direct), enough_(how.result_bytes) {}

router::group& router::group_of(position owner, std::size_t adds) {
    const position hop = is_direct_ ? owner : graph_->next_hop(owner);
    buffer& b = by_hop_[hop];
    b.size += adds;
    buffered_ += adds;
    return b.of[owner];
}

void router::add(position owner, std::uint64_t id, bool has_failed, std::span<const std::byte> data) {
    constexpr std::size_t frame = sizeof(id) + sizeof(has_failed) + sizeof(std::uint64_t);
    group& g = group_of(owner, frame + data.size());
    ++g.results;
    writer w(g.data);
    w(id, has_failed, std::uint64_t{data.size()});
    w.raw(data);
}

// Groups: owner, number of results, their bytes in all; then for each: task, whether it failed, bytes.
void router::received(reader& r, load& l) {
    while (!r.at_end()) {
        const auto owner = r.get<position>();
        const auto results = r.get<std::uint32_t>();
        const auto size = r.get<std::uint64_t>();
        const std::span<const std::byte> data = r.raw(size);
        if (owner >= graph_->ranks()) throw malformed("parley: a result for a rank that is not there");
        if (owner != out_->self()) {
            group& g = group_of(owner, data.size());
            g.results += results;
            writer(g.data).raw(data);
            continue;
        }
        reader own(data);
        for (std::uint32_t i = 0; i < results; ++i) {
            const auto id = own.get<std::uint64_t>();
            const auto has_failed = own.get<bool>();
            reader result(own.raw(own.get<std::uint64_t>()));
            l.result(id, has_failed, result);
        }
        out_->count.results_home += results;
    }
}

void router::send(position hop, buffer& b) {
    bytes payload;
    writer w(payload);
    std::uint32_t results = 0;
    for (auto& [owner, g] : b.of) {
        w(owner, g.results, std::uint64_t{g.data.size()});
        w.raw(g.data);
        results += g.results;
    }
    buffered_ -= b.size;
    ++out_->count.result_messages;
    out_->count.result_hops += results;
    out_->send(hop, {.kind = message_kind::results, .count = results}, std::move(payload));
}

void router::flush(bool everything) {
    if (buffered_ == 0) return;
    for (auto b = by_hop_.begin(); b != by_hop_.end();) {
        if (everything || b->second.size >= enough_) {
            send(b->first, b->second);
            b = by_hop_.erase(b);
        } else {
            ++b;
        }
    }
}

}  // namespace parley::inline v0::cluster
