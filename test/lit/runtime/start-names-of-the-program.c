/* The program may choose any names for its functions and variables, including
   those in the sources of the runtime. */
// RUN: %arcline-cc -g -O1 %s -o %t
// RUN: %t | FileCheck %s
// RUN: %arcline gprof -b -p %t gmon.out | FileCheck --check-prefix=PROFILE %s
// RUN: %arcline-cc -g -O1 -static %s -o %t.static && %t.static | FileCheck %s
// CHECK: 42
// PROFILE-DAG: {{ }}1 {{.*}} rt_copy
// PROFILE-DAG: {{ }}1 {{.*}} rt_output_all
#include <stdio.h>

int rt_objects = 1;
char *rt_message;
double process, sampler;

__attribute__((noinline)) static int attach(int number) { return number; }
__attribute__((noinline)) int rt_copy(int number) { return number + 1; }
__attribute__((noinline)) int rt_map(int number) { return number * 2; }
__attribute__((noinline)) int rt_thread_self(int number) { return number + 4; }
__attribute__((noinline)) int rt_sys(int number) { return number + 15; }
__attribute__((noinline)) int rt_output_all(int number) { return number * 2; }

int main(void) {
  printf("%d\n",
         rt_output_all(rt_sys(rt_thread_self(rt_map(rt_copy(attach(0)))))) *
             rt_objects);
  return rt_message != NULL;
}
