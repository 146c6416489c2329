// Must not compile: what an argument refers to is gone when the task runs.
#include <tasking.h>

#include <string>

static void show(const std::string& s) { (void)s; }
ASYNC_VOID_DECL(show, const std::string& s, s);
