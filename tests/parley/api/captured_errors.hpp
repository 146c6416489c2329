// What this process writes on standard error, for as long as such an object lives.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace api_test {

class captured_errors {
public:
    captured_errors() : before_(dup(STDERR_FILENO)), file_(std::tmpfile()) {
        std::fflush(stderr);
        dup2(fileno(file_), STDERR_FILENO);
    }
    ~captured_errors() {
        stop();
        std::fclose(file_);
        close(before_);
    }
    captured_errors(const captured_errors&) = delete;
    captured_errors& operator=(const captured_errors&) = delete;

    // Standard error is again what it was.
    void stop() { dup2(before_, STDERR_FILENO); }

    [[nodiscard]] std::string text() const {
        std::string all;
        char some[4096];
        ssize_t n = 0;
        while ((n = pread(fileno(file_), some, sizeof some, static_cast<off_t>(all.size()))) > 0)
            all.append(some, static_cast<std::size_t>(n));
        return all;
    }

    // Returns when it has been said, or after a minute.
    bool wait_for(const std::string& words) const {
        for (int i = 0; i < 12'000; ++i) {
            if (text().find(words) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }

    [[nodiscard]] std::size_t count(const std::string& words) const {
        const std::string all = text();
        std::size_t n = 0;
        for (std::size_t at = all.find(words); at != std::string::npos; at = all.find(words, at + 1)) ++n;
        return n;
    }

private:
    const int before_;
    std::FILE* const file_;
};

}  // namespace api_test
