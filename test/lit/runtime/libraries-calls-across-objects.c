/* Calls from one object to another are in the side file: direct ones by name,
   others with both ends, including those that mcount counts, and even after the
   library was unloaded. */
// RUN: %clang -O1 -g -fPIC -shared -DLIBRARY -fpass-plugin=%plugin %s \
// RUN:   -L%libdir -larcline-shared -o libcalls.so
// RUN: %clang -O1 -g -fpass-plugin=%plugin %s -L%libdir -larcline -L. -lcalls \
// RUN:   -Wl,-rpath,. -Wl,--build-id -o %t
// RUN: %t && FileCheck %s < gmon.out.arcline
// RUN: %arcline dump gmon.out.libcalls.so | FileCheck %s --check-prefix=LIBRARY
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount %clang -O1 -g -fPIC -shared \
// RUN:   -DLIBRARY -fpass-plugin=%plugin %s -L%libdir -larcline-shared -o libcalls.so
// RUN: %t && FileCheck %s --check-prefix=MCOUNT < gmon.out.arcline
// RUN: %arcline dump gmon.out.libcalls.so | FileCheck %s --check-prefix=LIBRARY
// RUN: %clang -O1 -g -fpass-plugin=%plugin -DLOAD %s -L%libdir -larcline \
// RUN:   -o %t.dl
// RUN: %clang -O1 -g -fPIC -shared -DLIBRARY -fpass-plugin=%plugin %s \
// RUN:   -L%libdir -larcline-shared -o libcalls.so
// RUN: %t.dl && FileCheck %s --check-prefix=UNLOADED < gmon.out.arcline
// RUN: touch not && env ARCLINE_OPTIONS=out=not/there %t 2>&1 | count 1
// CHECK: {{^}}arcline-side 1{{$}}
// CHECK-NEXT: process {{[0-9]+}} libraries-calls-across-objects.c.tmp{{$}}
// CHECK-NEXT: clock seconds 100{{$}}
// CHECK-NEXT: cpu {{[0-9]+ [0-9]+$}}
// CHECK-NEXT: object 0 {{[0-9a-f]+}} 0x{{[0-9a-f]+}} gmon.out /{{.*}}.c.tmp{{$}}
// CHECK-NEXT: text 0 0x{{[0-9a-f]+}} 0x{{[0-9a-f]+$}}
// CHECK-NEXT: object 1 [[_:.*]] gmon.out.libcalls.so /{{.*}}/libcalls.so{{$}}
// CHECK-NEXT: text 1 0x{{[0-9a-f]+}} 0x{{[0-9a-f]+$}}
// CHECK-DAG: {{^}}call 0 0x{{[0-9a-f]+}} 10 call_back{{$}}
// CHECK-DAG: {{^}}arc 0 0x{{[0-9a-f]+}} 1 0x{{[0-9a-f]+}} 7{{$}}
// CHECK-DAG: {{^}}arc 1 0x{{[0-9a-f]+}} 0 0x{{[0-9a-f]+}} 1000{{$}}
// CHECK: {{^}}end{{$}}
// CHECK-NOT: {{.}}
// MCOUNT-DAG: {{^}}call 0 0x{{[0-9a-f]+}} 10 call_back{{$}}
// MCOUNT-DAG: {{^}}arc 0 0x{{[0-9a-f]+}} 1 0x{{[0-9a-f]+}} 7{{$}}
// MCOUNT-DAG: {{^}}arc 0 0x{{[0-9a-f]+}} 1 0x{{[0-9a-f]+}} 10{{$}}
// MCOUNT: {{^}}end{{$}}
// LIBRARY-DAG: arc from=0x0 self=0x{{[0-9a-f]+}} count=10{{$}}
// LIBRARY-DAG: arc from=0x0 self=0x{{[0-9a-f]+}} count=7{{$}}
// UNLOADED: {{^}}object 1 {{.*}}/libcalls.so{{$}}
// UNLOADED-DAG: {{^}}arc 0 0x{{[0-9a-f]+}} 1 0x{{[0-9a-f]+}} 10{{$}}
// UNLOADED-DAG: {{^}}arc 1 0x{{[0-9a-f]+}} 0 0x{{[0-9a-f]+}} 1000{{$}}
// UNLOADED: {{^}}end{{$}}

#ifdef LIBRARY
int call_back(int (*callee)(int), int n) {
  int sum = 0;

  for (int i = 0; i < n; i++)
    sum += callee(i);
  return sum;
}

int leaf(int value) { return value / 2; }
#else
#include <dlfcn.h>

int call_back(int (*callee)(int), int n);
int leaf(int value);

static volatile int result;

static int called_back(int value) { return value * 2; }

#ifdef LOAD
int main(void) {
  void *library = dlopen("./libcalls.so", RTLD_NOW | RTLD_LOCAL);
  int (*call)(int (*)(int), int);

  *(void **)&call = dlsym(library, "call_back");
  for (int i = 0; i < 10; i++)
    result = call(called_back, 100);
  return dlclose(library);
}
#else
int main(void) {
  int (*volatile pointer)(int) = leaf;

  for (int i = 0; i < 10; i++)
    result = call_back(called_back, 100);
  for (int i = 0; i < 7; i++)
    result = pointer(i);
  return 0;
}
#endif
#endif
