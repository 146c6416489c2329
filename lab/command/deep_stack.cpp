#include "lab/command/deep_stack.hpp"

#include <pthread.h>

#include <cstddef>
#include <exception>

namespace parley_cli {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 20;

struct errand {
    const std::function<int()>& work;
    int result = 0;
    std::exception_ptr error;
};

void* start(void* argument) {
    auto* e = static_cast<errand*>(argument);
    try {
        e->result = e->work();
    } catch (...) {
        e->error = std::current_exception();
    }
    return nullptr;
}

}  // namespace

int on_deep_stack(const std::function<int()>& work) {
    errand e{work, 0, nullptr};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_t thread{};
    const bool started =
        pthread_attr_setstacksize(&attributes, stack_bytes) == 0 && pthread_create(&thread, &attributes, start, &e) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) {
        return work();
    }
    pthread_join(thread, nullptr);
    if (e.error) {
        std::rethrow_exception(e.error);
    }
    return e.result;
}

}  // namespace parley_cli
