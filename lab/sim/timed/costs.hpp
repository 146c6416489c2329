// What things cost on a machine, and which of its places are near each other: the contents of a cost file.
#pragma once

#include <lab/sim/timed/time.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace parley::inline v0::sim::timed {

struct topology {
    std::uint32_t sockets = 1;
    std::uint32_t nodes_per_socket = 1;
    std::uint32_t cores_per_node = 1;
    std::uint32_t threads_per_core = 1;
};

// What the instructions of an operation take where everything it touches is in the own cache. What has to come from
// elsewhere is added: `line`.
struct costs {
    std::string name;
    topology places;
    // Of a core's speed, how many percent each of its threads has when 1, 2, ... of them are used: for operations, and
    // for tasks that take a given time.
    std::vector<std::uint32_t> thread_percent = {100};
    // For tasks that really compute. Empty: the same.
    std::vector<std::uint32_t> work_percent;

    // A cache line that another one has changed: from a thread of the same core, of the same NUMA node, of the same
    // socket, from anywhere.
    struct {
        duration core = 0, node = 0, socket = 0, machine = 0;
    } line;

    duration push = 0, pop = 0;  // of the own deque, with making and ending the task
    duration poll = 0;           // a look at the attention word that finds nothing
    duration peek = 0;           // at a channel
    duration send_request = 0, receive_request = 0;
    duration send_tasks = 0, receive_tasks = 0;
    duration steal = 0, steal_each = 0;  // taking the oldest task from the deque; for each more of half of them
    duration split = 0;                  // making a task of iterations that have not begun
    duration exchange = 0;               // a read-modify-write
    duration turn = 0;                   // of the loop of a worker without tasks
    duration block = 0;                  // between two blocks of a loop: looking at the clock
    duration sleep = 0;                  // to fall asleep
    duration wake = 0, wake_delay = 0;   // to wake somebody, and until that runs
    duration signal = 0, signal_delay = 0, handler = 0;  // to send one, until it comes, to handle it
    duration suspend = 0;                                // going on on another stack
    // To go on on a core that another thread has had.
    duration switch_thread = 2 * microsecond;

    // What the programs compute; those that take a time as an option do not need it.
    struct {
        duration uts_node = 0;       // a node of the tree: its hash and its task
        duration queens_square = 0;  // to test whether a queen may stand there
        duration multiply_add = 0;   // of matrices, in blocks
        duration sort_compare = 0;   // an element in one of log n levels of sorting
        duration merge_element = 0;
    } work;
};

}  // namespace parley::inline v0::sim::timed
