module shapes
  implicit none
contains
  function area(side) result(total)
    integer, intent(in) :: side
    integer :: total
    integer :: i
    total = 0
    do i = 1, side
      total = total + side
    end do
  end function area

  subroutine report(n)
    integer, intent(in) :: n
    integer :: i, sum
    sum = 0
    do i = 1, n
      if (mod(i, 3) == 0) then
        sum = sum + area(i)
      end if
    end do
    print *, sum
  end subroutine report
end module shapes

program main
  use shapes
  implicit none
  call report(10)
end program main
