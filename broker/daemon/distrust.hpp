// For how long a program is not believed that it follows: counted from the first binding on, which may have to wait.
#pragma once

#include <broker/policy/ids.hpp>

namespace parley::inline v0::broker::service {

class distrust {
public:
    void begin(nanoseconds now, nanoseconds length) noexcept {
        began_ = now;
        length_ = length;
        is_on_ = true;
        bound_at_ = 0;
    }
    // When its process was bound last.
    void bound(nanoseconds at) noexcept {
        if (is_on_ && bound_at_ == 0 && at >= began_) bound_at_ = at;
    }
    [[nodiscard]] bool is_on(nanoseconds now) noexcept {
        if (is_on_ && bound_at_ != 0 && now >= bound_at_ + length_) is_on_ = false;
        return is_on_;
    }

private:
    nanoseconds began_ = 0, length_ = 0, bound_at_ = 0;
    bool is_on_ = false;
};

}  // namespace parley::inline v0::broker::service
