// The words of tasking.h in C: what tests/parley/tasking/c tests, with each number of workers.
#include "tests/parley/tasking/c/words.h"
#include "tests/parley/tasking/support.hpp"

namespace {

using namespace tasking_test;

TEST(TaskingInC, TasksTakeEveryNumberOfArgumentsUpTo16) { with_each_size(&c_tasks_with_every_number_of_arguments); }
TEST(TaskingInC, TasksTakeStructsDoublesAndPointersAndWhatIsLarge) {
    with_each_size(&c_tasks_with_structs_doubles_and_pointers);
}
TEST(TaskingInC, AFunctionMayBeDeclaredForTasksAndFutures) { with_each_size(&c_tasks_that_are_declared_for_both); }
TEST(TaskingInC, ArgumentsAreConvertedAndEvaluatedOnceAsInACall) { with_each_size(&c_arguments_are_converted_as_in_a_call); }
TEST(TaskingInC, FuturesTakeEveryNumberOfArgumentsUpTo16) { with_each_size(&c_futures_with_every_number_of_arguments); }
TEST(TaskingInC, FuturesTakeStructsDoublesAndPointersAndWhatIsLarge) {
    with_each_size(&c_futures_of_structs_doubles_and_pointers);
}
TEST(TaskingInC, FuturesMayBeArgumentsOfFutures) { with_each_size(&c_futures_within_arguments_of_futures); }
TEST(TaskingInC, AFutureMayBeNone) { with_each_size(&c_futures_that_are_none); }
TEST(TaskingInC, ATaskMayAskWhichWorkerItIs) { with_each_size(&c_numbers_of_workers); }
TEST(TaskingInC, FuturesMayBeMadeAndAwaitedInEachOther) {
    with_each_size([] { EXPECT_EQ(c_fib(20), 6765); });
}
TEST(TaskingInC, SyncWaitsForAllChildren) { with_each_size(&c_spawn_and_sync); }
TEST(TaskingInC, ChildrenMayHaveChildren) {
    with_each_size([] { EXPECT_EQ(c_nqueens(8), 92); });
}
TEST(TaskingInC, EachIterationIsDoneOnce) {
    with_each_size([] { EXPECT_EQ(c_sum_by_loop(-1000, 100'000), 3 * (99'999L * 100'000 / 2 - 1000L * 1001 / 2)); });
}
TEST(TaskingInC, TasksTalkOverChannels) { with_each_size(&c_channels); }

}  // namespace
