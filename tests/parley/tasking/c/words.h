// Tests written in C: each uses the words between TASKING_INIT and TASKING_EXIT, which the caller says. A check that fails
// ends the program.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void c_tasks_with_every_number_of_arguments(void);
void c_tasks_with_structs_doubles_and_pointers(void);
void c_tasks_that_are_declared_for_both(void);
void c_arguments_are_converted_as_in_a_call(void);
void c_futures_with_every_number_of_arguments(void);
void c_futures_of_structs_doubles_and_pointers(void);
void c_futures_within_arguments_of_futures(void);
void c_futures_that_are_none(void);
void c_numbers_of_workers(void);
int c_fib(int n);
int c_nqueens(int n);
long c_sum_by_loop(long first, long last);
void c_spawn_and_sync(void);
void c_channels(void);

#ifdef __cplusplus
}
#endif
