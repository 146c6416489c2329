#include "lab/programs/cluster/program.hpp"

#include <algorithm>

namespace parley_programs::cluster {

const std::vector<program>& all_programs() {
    static const std::vector<program> all{dlb_program(), uts_program(), nqueens_program(), chemistry_program()};
    return all;
}

// Tasks that nobody brings, and a sum that each rank begins with what it has to say.
std::vector<share> gather(parley::cluster::group& g, const share& mine) {
    using list = std::vector<share>;
    list all = parley::cluster::run<int, list>(
        g, {}, [](const int&, parley::cluster::spawner<int>&, list&) {},
        [](list& sum, const list& more) { sum.insert(sum.end(), more.begin(), more.end()); }, list{mine});
    std::ranges::sort(all, {}, &share::rank);
    return all;
}

}  // namespace parley_programs::cluster
