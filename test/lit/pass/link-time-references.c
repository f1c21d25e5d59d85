// Before link-time optimisation, cells refer to the table of their function, and
// code has no assembly, which would be in the way of optimisations once it is
// inlined into loops. Constructors have it: LLVM executes them at link time
// otherwise. The table of a function that stays is kept after the alias is gone.
// For ThinLTO cells have a section that does not prevent LLVM from importing
// functions, and an initial value that LLVM does not replace by 0, for which the
// section would be one without contents.
// RUN: for option in -flto -flto=thin; do \
// RUN:   %clang -O2 $option -fpass-plugin=%plugin -S -emit-llvm %s -o code$option.ll && \
// RUN:   FileCheck %s < code$option.ll && \
// RUN:   FileCheck %s --check-prefix=CODE < code$option.ll && \
// RUN:   opt -internalize-public-api-list=scale -passes='internalize,globalopt,globaldce' \
// RUN:     -S code$option.ll -o linked$option.ll || exit 1; \
// RUN: done
// RUN: FileCheck %s --check-prefix=LINKED < linked-flto.ll
// RUN: FileCheck %s --check-prefix=THIN < linked-flto=thin.ll
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// CHECK: @[[CELLS:__arcline_cells[.0-9]*]] = {{.*}}[i64 {{(add \(i64 )?}}sub (i64 ptrtoint (ptr @[[TABLE:__arcline_body[.a-z0-9]*]] to i64), i64 ptrtoint (ptr @[[SAME:__arcline_same[.0-9]*]] to i64)){{.*}}comdat($[[GROUP:__arcline_body[.0-9a-f]*]])
// CHECK: @[[TABLE]] = {{.*}}@scale{{.*}}comdat($[[GROUP]])
// CHECK: @[[SAME]] = private alias {{.*}}@[[TABLE]]
// CODE-LABEL: define {{.*}}@scale(
// CODE-NOT:   asm
// CODE-LABEL: define {{.*}}@begin(
// CODE:       call void asm sideeffect "", "i
// LINKED-NOT:  __arcline_same
// LINKED:      @__arcline_cells = {{.*}}section "__arcline_cnts"
// LINKED-NOT:  __arcline_same
// LINKED:      @__arcline_body.table = private {{.*}}@scale
// THIN:      @__arcline_cells = private {{.*}}[i64 add (i64 sub ({{.*}}@__arcline_same to i64)), i64 4)], no_sanitize_address, no_sanitize_hwaddress, comdat({{.*}} #[[SECTION:[0-9]+]]
// THIN:      @__arcline_cells.1 = private {{.*}} zeroinitializer, section "__arcline_cnts"
// THIN:      @__arcline_body.table = private {{.*}}@scale
// THIN:      attributes #[[SECTION]] = { "bss-section"="__arcline_cnts" "data-section"="__arcline_cnts" }
// PLAIN-NOT: __arcline_same
// PLAIN-NOT: asm sideeffect "", "i
int set;

float scale(float x) { return x * 1.5f + 2; }

__attribute__((constructor)) void begin(void) { set++; }
