#include <lab/memory/scene.hpp>

namespace parley::memory {

const std::vector<scene>& scenes() {
    static const std::vector<scene> all{};
    return all;
}

}  // namespace parley::memory
