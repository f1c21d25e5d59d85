// Before link-time optimisation, cells refer to the table of their function, and
// code has no assembly, which would be in the way of optimisations once it is
// inlined into loops. Constructors have it: LLVM executes them at link time
// otherwise. The table of a function that stays is kept after the alias is gone.
// RUN: for option in -flto -flto=thin; do \
// RUN:   %clang -O2 $option -fpass-plugin=%plugin -S -emit-llvm %s -o code.ll && \
// RUN:   FileCheck %s < code.ll && FileCheck %s --check-prefix=CODE < code.ll || exit 1; \
// RUN: done
// RUN: opt -internalize-public-api-list=scale -passes='internalize,globalopt,globaldce' -S code.ll | FileCheck %s --check-prefix=LINKED
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// CHECK: @[[CELLS:__arcline_cells[.0-9]*]] = {{.*}}[i64 sub (i64 ptrtoint (ptr @[[TABLE:__arcline_body[.a-z0-9]*]] to i64), i64 ptrtoint (ptr @[[SAME:__arcline_same[.0-9]*]] to i64)){{.*}}comdat($[[GROUP:__arcline_body[.0-9a-f]*]])
// CHECK: @[[TABLE]] = {{.*}}@scale{{.*}}comdat($[[GROUP]])
// CHECK: @[[SAME]] = private alias {{.*}}@[[TABLE]]
// CODE-LABEL: define {{.*}}@scale(
// CODE-NOT:   asm
// CODE-LABEL: define {{.*}}@begin(
// CODE:       call void asm sideeffect "", "i
// LINKED-NOT:  __arcline_same
// LINKED:      @__arcline_cells =
// LINKED-NOT:  __arcline_same
// LINKED:      @__arcline_body.table = private {{.*}}@scale
// PLAIN-NOT: __arcline_same
// PLAIN-NOT: asm sideeffect "", "i
int set;

float scale(float x) { return x * 1.5f + 2; }

__attribute__((constructor)) void begin(void) { set++; }
