#include <parley/detail/runtime/stay_loaded.hpp>

#include <dlfcn.h>

// A program that is linked statically has neither of these functions, and must not need them. So they are weak.
#pragma weak dladdr
#pragma weak dlopen

namespace parley::inline v0::threading {

void stay_loaded() noexcept {
    [[maybe_unused]] static void* const here = []() -> void* {
        Dl_info object{};
        if (&::dladdr == nullptr || &::dlopen == nullptr || ::dladdr(&here, &object) == 0) return nullptr;
        // dlopen() finds the object that is loaded under that name. For the program itself it finds nothing, but that
        // is not unloaded either.
        return ::dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }();
}

}  // namespace parley::inline v0::threading
