// The compiler says that parley/std_execution.hpp comes too late.
#include <numeric>
#include <parley/std_execution.hpp>
