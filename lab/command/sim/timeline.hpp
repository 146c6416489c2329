// What virtual workers did, and when: the file of a timeline, in the form of real workers' (parley/detail/trace).
#pragma once

#include <lab/sim/timed/witness.hpp>
#include <parley/detail/trace/timeline_file.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley_cli {

// Of each worker the latest events are kept.
class virtual_timeline final : public parley::sim::timed::witness {
public:
    // So many of each worker; 0: 100,000, but no more than a million of all workers together, which are 100 MB.
    [[nodiscard]] static std::size_t events_of_each(std::uint32_t workers, std::uint32_t chosen) noexcept;

    // Begins the file: throws usage_error, in the name of that option, if it cannot.
    virtual_timeline(const std::string& option, const std::string& file, std::uint32_t workers, std::size_t events_of_each);

    void sees(const parley::sim::timed::sight& s) override;

    // What happened up to now; slices that are open end with the last event of all. Returns what is wrong, or an empty
    // text.
    [[nodiscard]] std::string write();

private:
    // Full rings: the oldest event is where the next one goes.
    struct of_worker {
        std::vector<parley::trace::recorder::event> ring;
        std::uint64_t seen = 0;
    };

    void write(std::uint32_t worker);

    const std::unique_ptr<parley::trace::timeline_file> file_;
    const std::size_t most_;
    std::vector<of_worker> workers_;
    std::uint64_t last_ = 0;  // nanoseconds
};

}  // namespace parley_cli
