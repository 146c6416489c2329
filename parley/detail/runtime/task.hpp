// A task: something that a worker can run once.
#pragma once

namespace parley::inline v0::threading {

class worker;

// The first word of every task record, wherever it lives: in the frame of the function that forked
// it, or in task memory. A plain function pointer instead of a virtual call: one load less, and the
// join of untaken work needs no table at all.
struct task {
    using function = void (*)(task*, worker&);
    function run;
};

}  // namespace parley::inline v0::threading
