#include <lab/memory/scenes/scenes.hpp>

#include <iterator>
#include <utility>

namespace parley::memory {

const std::vector<scene>& scenes() {
    static const std::vector<scene> all = [] {
        std::vector<scene> some;
        for (auto part :
             {scenes_of_channels(), scenes_of_answers(), scenes_of_words(), scenes_of_cancellations(), scenes_of_counts(),
              scenes_of_results(), scenes_of_futures(), scenes_of_parkers(), scenes_of_lobbies(), scenes_of_relays(),
              scenes_of_protocols(), scenes_of_runtime(), scenes_of_scopes(), scenes_of_steals()})
            some.insert(some.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
        return some;
    }();
    return all;
}

}  // namespace parley::memory
