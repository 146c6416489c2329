// The broker as a service: it listens from its construction to stop().
#pragma once

#include <broker/daemon/settings.hpp>
#include <broker/policy/section.hpp>

#include <memory>

namespace parley::inline v0::broker::service {

class daemon {
public:
    // Throws `startup_error`. Signals that are blocked here are in its threads.
    explicit daemon(settings);
    daemon(const daemon&) = delete;
    daemon& operator=(const daemon&) = delete;
    ~daemon();

    // Programs keep what they have, and hear that the broker has gone. Idempotent.
    void stop();

    // After stop(), when all messages have arrived: all sections know the same.
    [[nodiscard]] const section& at(section_id) const;

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

}  // namespace parley::inline v0::broker::service
