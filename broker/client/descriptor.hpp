// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>
#include <utility>

namespace parley::inline v0::broker {

class descriptor {
public:
    explicit descriptor(int number = -1) noexcept : number_(number) {}
    ~descriptor() { reset(); }
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] explicit operator bool() const noexcept { return number_ >= 0; }
    [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }
    void reset() noexcept {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }

private:
    int number_;
};

}  // namespace parley::inline v0::broker
