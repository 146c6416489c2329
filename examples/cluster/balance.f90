! The same as balance.cpp, from Fortran: a column of `cells` is one task.
module collatz
    use, intrinsic :: iso_c_binding
    implicit none
contains
    ! How often a number of the stretch halves or triples until it is 1, at most; and which number that is.
    function longest(cell, result, parameters) result(code) bind(c)
        real(c_double), intent(in) :: cell(*)
        real(c_double), intent(inout) :: result(*)
        type(c_ptr), value :: parameters
        integer(c_int) :: code
        integer(c_int64_t) :: n, x, steps, most

        code = 0
        if (c_associated(parameters)) code = 1  ! this rank has given none
        most = -1
        do n = int(cell(1), c_int64_t), int(cell(1) + cell(2), c_int64_t) - 1
            x = n
            steps = 0
            do while (x /= 1)
                x = merge(x / 2, 3 * x + 1, mod(x, 2_c_int64_t) == 0)
                steps = steps + 1
            end do
            if (steps > most) result(1:2) = real([steps, n], c_double)
            most = max(most, steps)
        end do
    end function
end module

program balance
    use mpi
    use collatz
    use parley_cluster
    implicit none
    integer :: provided, rank, number, i, code, wrong, ierr
    real(c_double), allocatable :: cells(:, :), results(:, :)
    real(c_double) :: expected(2)
    type(parley_cluster_statistics) :: all
    character(len=256) :: why

    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)

    number = merge(400, 0, rank == 0)
    allocate (cells(2, number), results(2, number))
    do i = 1, number
        cells(:, i) = real([i * i, i], c_double)
    end do
    call parley_balance(MPI_COMM_WORLD, cells, results, longest, code, statistics=all, message=why)
    if (code /= PARLEY_CLUSTER_OK) then
        print '(a)', trim(why)
        call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
    end if

    wrong = 0
    do i = 1, number
        code = longest(cells(:, i), expected, c_null_ptr)
        if (any(nint(results(:, i)) /= nint(expected))) wrong = wrong + 1
    end do
    if (rank == 0) print '(i0, a, i0, a, i0, a)', all%tasks, ' tasks, ', all%foreign, ' of them on other ranks, ', &
        wrong, ' wrong'
    call MPI_Finalize(ierr)
    if (wrong /= 0) error stop 1
end program
