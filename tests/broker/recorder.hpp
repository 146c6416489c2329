// What a client has told, and waiting for it.
#pragma once

#include <broker/client/client.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace broker_tests {

using namespace parley::broker;

class recorder {
public:
    [[nodiscard]] client_calls calls() {
        return {.on_allotment =
                    [this](const allotment& a) {
                        note([&] {
                            last_ = a;
                            ++allotments_;
                        });
                    },
                .on_turn = [this](const allotment&) { note([&] { ++turns_; }); },
                .on_feedback_page =
                    [this](feedback_page* page) {
                        note([&] {
                            page_ = page;
                            if (page != nullptr) ++pages_;
                        });
                    },
                .on_lost = [this] { note([&] { ++losses_; }); }};
    }

    allotment wait_for_allotments(int count) {
        EXPECT_TRUE(wait([&] { return allotments_ >= count; })) << "allotments: " << allotments();
        return locked(last_);
    }
    // A page, the n-th one; or none.
    feedback_page* wait_for_page(int count) {
        EXPECT_TRUE(wait([&] { return pages_ >= count && page_ != nullptr; }));
        return locked(page_);
    }
    void wait_for_no_page() {
        EXPECT_TRUE(wait([&] { return page_ == nullptr && pages_ > 0; }));
    }
    void wait_for_turns(int count) {
        EXPECT_TRUE(wait([&] { return turns_ >= count; }));
    }
    void wait_for_losses(int count) {
        EXPECT_TRUE(wait([&] { return losses_ >= count; }));
    }

    [[nodiscard]] int allotments() const { return locked(allotments_); }
    [[nodiscard]] int turns() const { return locked(turns_); }
    [[nodiscard]] int losses() const { return locked(losses_); }
    [[nodiscard]] int pages() const { return locked(pages_); }

private:
    template <class What>
    void note(What what) {
        const std::lock_guard lock(mutex_);
        what();
        changed_.notify_all();
    }
    template <class Condition>
    bool wait(Condition condition) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(20), condition);
    }
    template <class Value>
    [[nodiscard]] Value locked(const Value& value) const {
        const std::lock_guard lock(mutex_);
        return value;
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    allotment last_;
    feedback_page* page_ = nullptr;
    int allotments_ = 0, turns_ = 0, pages_ = 0, losses_ = 0;
};

// Comes true in time?
template <class Condition>
bool eventually(Condition condition) {
    for (int i = 0; i < 4000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

}  // namespace broker_tests
