! Balances uneven tasks over the ranks of a communicator, from Fortran; parley/cluster.h is the same for C, and says
! more.
!
! Communicators are those of `use mpi`; of `use mpi_f08` it is comm%MPI_VAL.
module parley_cluster
    use, intrinsic :: iso_c_binding
    implicit none
    private

    public :: parley_balance, parley_open, parley_close
    public :: parley_cluster_default_options, parley_cluster_options, parley_cluster_statistics
    public :: parley_cluster_function, parley_cluster_real_function

    ! What ierr says.
    enum, bind(c)
        enumerator :: PARLEY_CLUSTER_OK = 0
        enumerator :: PARLEY_CLUSTER_TASK_FAILED   ! on every rank, once all other tasks are done
        enumerator :: PARLEY_CLUSTER_DISAGREEMENT  ! options or sizes differ, or another rank's arguments are wrong
        enumerator :: PARLEY_CLUSTER_USAGE         ! this rank's arguments are wrong
        enumerator :: PARLEY_CLUSTER_ERROR
    end enum
    public :: PARLEY_CLUSTER_OK, PARLEY_CLUSTER_TASK_FAILED, PARLEY_CLUSTER_DISAGREEMENT, PARLEY_CLUSTER_USAGE, &
              PARLEY_CLUSTER_ERROR

    enum, bind(c)
        enumerator :: PARLEY_CLUSTER_SMALL_WORLD = 0
        enumerator :: PARLEY_CLUSTER_RANDOM, PARLEY_CLUSTER_RING, PARLEY_CLUSTER_COMPLETE
    end enum
    public :: PARLEY_CLUSTER_SMALL_WORLD, PARLEY_CLUSTER_RANDOM, PARLEY_CLUSTER_RING, PARLEY_CLUSTER_COMPLETE

    enum, bind(c)
        enumerator :: PARLEY_CLUSTER_STEAL_ONE = 0, PARLEY_CLUSTER_STEAL_HALF, PARLEY_CLUSTER_STEAL_ADAPTIVE
    end enum
    public :: PARLEY_CLUSTER_STEAL_ONE, PARLEY_CLUSTER_STEAL_HALF, PARLEY_CLUSTER_STEAL_ADAPTIVE

    enum, bind(c)
        enumerator :: PARLEY_CLUSTER_RESULTS_OVERLAY = 0, PARLEY_CLUSTER_RESULTS_DIRECT
    end enum
    public :: PARLEY_CLUSTER_RESULTS_OVERLAY, PARLEY_CLUSTER_RESULTS_DIRECT

    ! Begin with parley_cluster_default_options().
    type, bind(c) :: parley_cluster_options
        integer(c_int) :: overlay         ! PARLEY_CLUSTER_SMALL_WORLD, ...
        integer(c_int) :: steal           ! PARLEY_CLUSTER_STEAL_...
        integer(c_int) :: results         ! PARLEY_CLUSTER_RESULTS_...
        integer(c_int32_t) :: degree      ! neighbours of a rank on average; 0: 4 log2 of the number of ranks
        integer(c_int32_t) :: workers     ! threads of a rank that run tasks; 0: PARLEY_WORKERS or all cores
        integer(c_size_t) :: steal_bytes  ! tasks in one message, in bytes
        real(c_double) :: look_seconds    ! a rank looks at its messages at least this often
        integer(c_int64_t) :: seed        ! of the chords, and of the choice of victims
    end type

    ! What all ranks have done together.
    type, bind(c) :: parley_cluster_statistics
        integer(c_int64_t) :: tasks, foreign, failed, requests, refused, steals, stolen, offers, declined
        integer(c_int64_t) :: result_messages, results_home, result_hops, duplicates, messages, bytes, waves
        integer(c_int64_t) :: connections, most_connections
        real(c_double) :: busy_seconds, seconds
    end type

    ! Reads a cell and writes its result, on whichever rank the task comes to, with that rank's parameters. Returns 0,
    ! or a code of its own: the task has failed. With several workers it is called by several threads at once.
    abstract interface
        function parley_cluster_function(cell, result, parameters) result(code) bind(c)
            import :: c_ptr, c_int
            type(c_ptr), value :: cell, result, parameters
            integer(c_int) :: code
        end function
        ! Of one column of the cells and one of the results.
        function parley_cluster_real_function(cell, result, parameters) result(code) bind(c)
            import :: c_ptr, c_int, c_double
            real(c_double), intent(in) :: cell(*)
            real(c_double), intent(inout) :: result(*)
            type(c_ptr), value :: parameters
            integer(c_int) :: code
        end function
    end interface

    ! Collective: each rank brings its cells and gets their results in the same order. How many cells a rank has may
    ! differ, and may be 0; how large one is may not. Where to:
    !     parley_balance(comm, ...)      over a communicator
    !     parley_balance(group, ...)     the same for repeated calls, from parley_open() to parley_close()
    ! and what:
    !     (..., cells, results, f, ierr)                                       columns of real arrays
    !     (..., number, cells, cell_bytes, results, result_bytes, f, ierr)     anything that c_loc() tells
    ! At the end may come parameters, options (with a communicator only), statistics and message.
    interface parley_balance
        module procedure balance_reals, balance_reals_in, balance_any, balance_any_in
    end interface

    interface
        function parley_cluster_default_options() result(options) bind(c)
            import :: parley_cluster_options
            type(parley_cluster_options) :: options
        end function
        function c_balance(comm, number, cells, cell_bytes, results, result_bytes, f, parameters, options, statistics, &
                           message, message_size) result(code) bind(c, name='parley_cluster_balance_f')
            import :: c_ptr, c_funptr, c_int, c_size_t, c_char
            integer(c_int), value :: comm
            integer(c_size_t), value :: number, cell_bytes, result_bytes, message_size
            type(c_ptr), value :: cells, results, parameters, options, statistics
            type(c_funptr), value :: f
            character(kind=c_char), intent(out) :: message(*)
            integer(c_int) :: code
        end function
        function c_balance_in(group, number, cells, cell_bytes, results, result_bytes, f, parameters, statistics, &
                              message, message_size) result(code) bind(c, name='parley_cluster_balance_in')
            import :: c_ptr, c_funptr, c_int, c_size_t, c_char
            integer(c_size_t), value :: number, cell_bytes, result_bytes, message_size
            type(c_ptr), value :: group, cells, results, parameters, statistics
            type(c_funptr), value :: f
            character(kind=c_char), intent(out) :: message(*)
            integer(c_int) :: code
        end function
        function c_open(comm, options, message, message_size) result(group) bind(c, name='parley_cluster_open_f')
            import :: c_ptr, c_int, c_size_t, c_char
            integer(c_int), value :: comm
            type(c_ptr), value :: options
            character(kind=c_char), intent(out) :: message(*)
            integer(c_size_t), value :: message_size
            type(c_ptr) :: group
        end function
        ! Collective, before MPI_Finalize.
        subroutine parley_close(group) bind(c, name='parley_cluster_close')
            import :: c_ptr
            type(c_ptr), value :: group
        end subroutine
    end interface

    integer(c_size_t), parameter :: text_size = 512
    integer(c_size_t), parameter :: bytes_of_real = c_sizeof(1.0_c_double)
    character(len=*), parameter :: too_few = 'parley: there are not as many results as cells'

contains

    ! Collective. c_null_ptr where something is wrong.
    function parley_open(comm, options, message) result(group)
        integer, intent(in) :: comm
        type(parley_cluster_options), intent(in), optional, target :: options
        character(len=*), intent(out), optional :: message
        type(c_ptr) :: group
        character(kind=c_char) :: text(text_size)

        group = c_open(int(comm, c_int), at_options(options), text, text_size)
        call tell(text, message)
    end function

    subroutine balance_reals(comm, cells, results, f, ierr, parameters, options, statistics, message)
        integer, intent(in) :: comm
        real(c_double), intent(in), contiguous, target :: cells(:, :)
        real(c_double), intent(inout), contiguous, target :: results(:, :)
        procedure(parley_cluster_real_function) :: f
        integer, intent(out) :: ierr
        type(c_ptr), intent(in), optional :: parameters
        type(parley_cluster_options), intent(in), optional, target :: options
        type(parley_cluster_statistics), intent(out), optional, target :: statistics
        character(len=*), intent(out), optional :: message
        character(kind=c_char) :: text(text_size)

        ierr = c_balance(int(comm, c_int), size(cells, 2, c_size_t), c_loc(cells), bytes_of_column(cells), &
                         c_loc(results), bytes_of_column(results), checked(c_funloc(f), cells, results), &
                         given(parameters), at_options(options), at_statistics(statistics), text, text_size)
        call tell(text, message, size(cells, 2) == size(results, 2))
    end subroutine

    subroutine balance_reals_in(group, cells, results, f, ierr, parameters, statistics, message)
        type(c_ptr), intent(in) :: group
        real(c_double), intent(in), contiguous, target :: cells(:, :)
        real(c_double), intent(inout), contiguous, target :: results(:, :)
        procedure(parley_cluster_real_function) :: f
        integer, intent(out) :: ierr
        type(c_ptr), intent(in), optional :: parameters
        type(parley_cluster_statistics), intent(out), optional, target :: statistics
        character(len=*), intent(out), optional :: message
        character(kind=c_char) :: text(text_size)

        ierr = c_balance_in(group, size(cells, 2, c_size_t), c_loc(cells), bytes_of_column(cells), c_loc(results), &
                            bytes_of_column(results), checked(c_funloc(f), cells, results), given(parameters), &
                            at_statistics(statistics), text, text_size)
        call tell(text, message, size(cells, 2) == size(results, 2))
    end subroutine

    subroutine balance_any(comm, number, cells, cell_bytes, results, result_bytes, f, ierr, parameters, options, &
                           statistics, message)
        integer, intent(in) :: comm
        integer(c_size_t), intent(in) :: number, cell_bytes, result_bytes
        type(c_ptr), intent(in) :: cells, results
        procedure(parley_cluster_function) :: f
        integer, intent(out) :: ierr
        type(c_ptr), intent(in), optional :: parameters
        type(parley_cluster_options), intent(in), optional, target :: options
        type(parley_cluster_statistics), intent(out), optional, target :: statistics
        character(len=*), intent(out), optional :: message
        character(kind=c_char) :: text(text_size)

        ierr = c_balance(int(comm, c_int), number, cells, cell_bytes, results, result_bytes, c_funloc(f), &
                         given(parameters), &
                         at_options(options), at_statistics(statistics), text, text_size)
        call tell(text, message)
    end subroutine

    subroutine balance_any_in(group, number, cells, cell_bytes, results, result_bytes, f, ierr, parameters, &
                              statistics, message)
        type(c_ptr), intent(in) :: group
        integer(c_size_t), intent(in) :: number, cell_bytes, result_bytes
        type(c_ptr), intent(in) :: cells, results
        procedure(parley_cluster_function) :: f
        integer, intent(out) :: ierr
        type(c_ptr), intent(in), optional :: parameters
        type(parley_cluster_statistics), intent(out), optional, target :: statistics
        character(len=*), intent(out), optional :: message
        character(kind=c_char) :: text(text_size)

        ierr = c_balance_in(group, number, cells, cell_bytes, results, result_bytes, c_funloc(f), given(parameters), &
                            at_statistics(statistics), text, text_size)
        call tell(text, message)
    end subroutine

    pure function bytes_of_column(a) result(bytes)
        real(c_double), intent(in) :: a(:, :)
        integer(c_size_t) :: bytes
        bytes = size(a, 1, c_size_t) * bytes_of_real
    end function

    ! No function where the arrays do not fit: every rank of the call learns of that, where a return would leave the
    ! others waiting.
    function checked(f, cells, results) result(wanted)
        type(c_funptr), intent(in) :: f
        real(c_double), intent(in) :: cells(:, :), results(:, :)
        type(c_funptr) :: wanted
        wanted = c_null_funptr
        if (size(cells, 2) == size(results, 2)) wanted = f
    end function

    function given(parameters) result(at)
        type(c_ptr), intent(in), optional :: parameters
        type(c_ptr) :: at
        at = c_null_ptr
        if (present(parameters)) at = parameters
    end function

    function at_options(options) result(at)
        type(parley_cluster_options), intent(in), optional, target :: options
        type(c_ptr) :: at
        at = c_null_ptr
        if (present(options)) at = c_loc(options)
    end function

    function at_statistics(statistics) result(at)
        type(parley_cluster_statistics), intent(in), optional, target :: statistics
        type(c_ptr) :: at
        at = c_null_ptr
        if (present(statistics)) at = c_loc(statistics)
    end function

    subroutine tell(text, message, fits)
        character(kind=c_char), intent(in) :: text(:)
        character(len=*), intent(out), optional :: message
        logical, intent(in), optional :: fits
        integer :: i
        if (.not. present(message)) return
        message = ''
        do i = 1, min(len(message), size(text))
            if (text(i) == c_null_char) exit
            message(i:i) = text(i)
        end do
        if (.not. present(fits)) return
        if (.not. fits) message = too_few
    end subroutine

end module
