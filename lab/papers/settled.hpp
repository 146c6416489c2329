// What cannot be chosen together where requests circulate.
#pragma once

#include <lab/papers/circulating.hpp>
#include <parley/errors.hpp>

#include <cstdint>
#include <string>

namespace parley::inline v0::protocol {

// `how`: a tuning (policy/tuning.hpp). Throws usage_error.
template <class Tuning>
void require_papers_way(const Tuning& how, std::uint32_t workers, const circulating& chosen) {
    const std::string named = std::string("parley: with termination = ") + name_of(chosen.detects) + ", ";
    if (how.requests != 1) throw usage_error(named + "a worker has 1 request");
    if (how.dry != decltype(how.dry)::open) throw usage_error(named + "mailboxes are open while workers have no tasks");
    if (chosen.detects == detection::by_dedicated_manager && workers < 3)
        throw usage_error(named + "there must be 3 workers at least: one of them never has a task");
    if (chosen.detects == detection::by_shared_counter && chosen.revokes != revocation::any)
        throw usage_error(named + "no request is revoked");
}

}  // namespace parley::inline v0::protocol
