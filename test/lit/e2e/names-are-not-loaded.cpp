// The loaded data has a hash of each long name of the program's functions; the
// name is with the lines, which only reports read. Calls from other units and
// by aliases are identified, too. Names are whole if another object's function
// may replace it, in a library, and for functions of other objects. Even the
// shortest run may have a sample; sampling is off here.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: %arcline-c++ -O1 -g -c %s -o main.o
// RUN: %arcline-c++ -O1 -g -c %s -DOTHER -o other.o
// RUN: %arcline-c++ main.o other.o -o prog && ./prog
// RUN: objcopy -O binary --only-section=__arcline_data prog data
// RUN: FileCheck %s --check-prefix=DATA < data
// DATA-NOT: template_of_both
// DATA-NOT: local_of_each
// DATA-DAG: a_name_of_c
// DATA-DAG: {{_ZNSt6localeC1EPKc|_ZNSt6localeC1Ev}}

// RUN: %arcline annotate prog gmon.out > whole.txt && FileCheck %s < whole.txt
// RUN: %arcline gprof -b -q prog gmon.out > arcs.txt
// RUN: FileCheck %s --check-prefix=ARCS < arcs.txt
// CHECK-DAG: int template_of_both<int>(int): called 7 times
// CHECK-DAG: local_of_each(int): called 3 times
// CHECK-DAG: local_of_each(int): called 4 times
// CHECK-DAG: defined_in_the_other_unit(int): called 4 times
// ARCS:      3/7 local_of_each(int)
// ARCS-NEXT: 4/7 local_of_each(int)
// ARCS-NEXT: {{.*}} int template_of_both<int>(int)

// Without them only reports of lines are missing.
// RUN: cp prog bare && strip -g -R __arcline_line bare
// RUN: %arcline gprof -b -q bare gmon.out > bare.txt
// RUN: FileCheck %s --check-prefix=ARCS < bare.txt

// One object made of two; in a library; and both kinds of code for the same template.
// RUN: ld -r main.o other.o -o both.o && %arcline-c++ both.o -o both && ./both
// RUN: %arcline annotate both gmon.out | diff whole.txt -
// RUN: %arcline-c++ -O1 -g -fPIC -c %s -DOTHER -o pic.o
// RUN: %arcline-c++ -shared pic.o -o pic.so
// RUN: objcopy -O binary --only-section=__arcline_data pic.so data
// RUN: FileCheck %s --check-prefix=PIC < data
// PIC-DAG: defined_in_the_other_unit
// PIC-DAG: template_of_both
// RUN: %arcline-c++ main.o pic.o -o one && ./one
// RUN: %arcline annotate one gmon.out | diff whole.txt -
// RUN: %arcline-c++ pic.o main.o -o two && ./two
// RUN: %arcline annotate two gmon.out | FileCheck %s
#include <locale>

template <typename T> __attribute__((noinline)) int template_of_both(T n) {
  return n + 1;
}
static __attribute__((noinline)) int local_of_each(int n) {
  return template_of_both(n);
}
extern "C" int a_name_of_c(int n);
int defined_in_the_other_unit(int n);

#ifdef OTHER
int defined_in_the_other_unit(int n) { return local_of_each(n); }
extern "C" int an_alias_that_is_long(int)
    __attribute__((alias("_Z25defined_in_the_other_uniti")));
extern "C" int a_name_of_c(int n) { return n; }
#else
extern "C" int an_alias_that_is_long(int n);

int main() {
  std::locale here;
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += local_of_each(i) + defined_in_the_other_unit(i);
  return sum + an_alias_that_is_long(sum) + a_name_of_c(sum) == 0;
}
#endif
