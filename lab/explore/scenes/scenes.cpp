#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>

#include <vector>

namespace parley::explore {

const std::vector<scene>& scenes() {
    static const std::vector<scene> all = [] {
        std::vector<scene> sum;
        for (const auto& part :
             {scenes_of_tasks(), scenes_of_waits(), scenes_of_threads(), scenes_of_signals(), scenes_of_streams(),
              scenes_of_lives(), scenes_of_answers_taken_back(), scenes_of_coroutines()})
            sum.insert(sum.end(), part.begin(), part.end());
        return sum;
    }();
    return all;
}

}  // namespace parley::explore
