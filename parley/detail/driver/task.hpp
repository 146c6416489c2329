// A task is something that a worker can run once.
#pragma once

namespace parley::inline v0::threading {

class worker;

// Every task record begins with this word, whether it lives in the frame of the forking function or in task memory. A
// plain function pointer costs one load less than a virtual call. The join of a task that nobody took does not use it.
struct task {
    using function = void (*)(task*, worker&);
    function run;
};

}  // namespace parley::inline v0::threading
