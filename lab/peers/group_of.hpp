// A group on a scheduler whose scopes may be spawned into by any of their tasks.
#pragma once

#include <utility>

namespace parley_peers {

template <class Scope>
class group_of {
public:
    template <class Body>
    void run(Body&& body) {
        body();
        scope_.wait();
    }
    template <class F, class... Args>
    [[gnu::always_inline]] void spawn(F&& f, Args&&... args) {
        scope_.spawn(std::forward<F>(f), std::forward<Args>(args)...);
    }

private:
    Scope scope_;
};

}  // namespace parley_peers
