// Stripped programs are reported like whole ones: the pass leaves the names of
// functions in the program. Functions that were not instrumented are
// distinguished by their addresses. No samples, so that the reports can be
// compared.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: %arcline-c++ -O1 -g -DLIBRARY -fPIC -shared %s -o libpart.so
// RUN: echo 'int strange(int x) { return x + 1; }' > strange.c && %clang -O1 -c strange.c
// RUN: %arcline-c++ -O1 -g %s strange.o -L. -lpart -Wl,-rpath,$PWD -o prog
// RUN: ./prog
// RUN: %arcline report --top=0 gmon.out.arcline > whole.txt
// RUN: FileCheck %s < whole.txt
// RUN: %arcline gprof -b gmon.out.arcline > gprof.txt
// RUN: %arcline export --format=json gmon.out.arcline > whole.json
// RUN: grep '"a_function_with_a_long_name' whole.json

// RUN: cp libpart.so whole.so && cp prog whole
// RUN: strip prog libpart.so
// RUN: echo 's/prog+0x[0-9a-f]*/strange/' > rename.sed
// RUN: %arcline report --top=0 gmon.out.arcline 2> err > out && not grep . err
// RUN: grep prog+0x out
// RUN: sed -f rename.sed out | diff whole.txt -
// RUN: %arcline gprof -b gmon.out.arcline | FileCheck %s --check-prefix=GPROF
// RUN: %arcline export --format=json gmon.out.arcline > json
// RUN: grep '"a_function_with_a_long_name' json
// RUN: %arcline html -o pages gmon.out.arcline && grep -q a_function_with_a_long_name pages/index.html
// RUN: %arcline doctor prog > found || true
// RUN: not grep stripped found

// Without local symbols only (strip -x); and short names only, if the section
// that is not loaded was removed.
// RUN: cp whole prog && cp whole.so libpart.so && strip -x prog libpart.so
// RUN: %arcline report --top=0 gmon.out.arcline | diff whole.txt -
// RUN: llvm-objcopy --strip-all -R __arcline_line whole prog
// RUN: %arcline gprof -b prog | FileCheck %s --check-prefix=SHORT

// CHECK: calls {{ *}}64, counted exactly
// CHECK-DAG: {{^ *}}40 {{ *}}small
// CHECK-DAG: {{^ *}}9 {{ *}}(anonymous namespace)::of_library
// CHECK-DAG: {{^ *}}7 {{ *}}a_function_with_a_long_name
// GPROF-DAG: 40 {{.*}} small
// GPROF-DAG: 7 {{.*}} a_function_with_a_long_name
// GPROF-DAG: 6 {{.*}} prog+0x{{[0-9a-f]+}}
// SHORT-DAG: 40 {{.*}} small
// SHORT-DAG: 7 {{.*}} prog+0x{{[0-9a-f]+}}

int library(int n);
extern "C" int strange(int x);

#ifdef LIBRARY
namespace {
__attribute__((noinline)) int of_library(int x) {
  static volatile int seed = 5;
  return x ^ seed;
}
} // namespace
int library(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += of_library(i);
  return sum;
}
#else
typedef int function(int);
static function *volatile pointer = strange;

__attribute__((noinline)) static int small(int x) {
  return x % 3 ? x + 1 : x;
}

__attribute__((noinline)) static int
a_function_with_a_long_name(const int *const *values, function *) {
  return small(**values);
}

int main() {
  const int value = 4, *const values = &value;
  int sum = library(9);
  for (int i = 0; i < 7; i++)
    sum += a_function_with_a_long_name(&values, strange);
  for (int i = 0; i < 33; i++)
    sum += small(i);
  for (int i = 0; i < 6; i++)
    sum += pointer(i);
  return sum == 0;
}
#endif
