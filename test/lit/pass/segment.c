// In code for executables on x86-64 cells are addressed through GS, in one
// instruction, and only functions that a thread may begin with check whether
// the thread is attached. All other code gets its bias as usual.
// RUN: %clang --target=x86_64-linux-gnu -O1 -fPIE -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,UNANNOUNCED --implicit-check-not=@__arcline_bias
// RUN: env ARCLINE_PASS_OPTIONS=threads=announced %clang --target=x86_64-linux-gnu -O2 -fno-pie -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,ANNOUNCED --implicit-check-not=@__arcline_bias
// RUN: env ARCLINE_PASS_OPTIONS=blocks=off %clang --target=x86_64-linux-gnu -O2 -fPIE -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CALLS --implicit-check-not=@__arcline_bias
// RUN: %clang --target=x86_64-linux-gnu -O2 -fPIE -fpass-plugin=%plugin -S %s -o - | FileCheck %s --check-prefix=CODE
// RUN: for options in -fPIC -mcmodel=medium -mcmodel=large -fsanitize=thread \
// RUN:   --target=aarch64-linux-gnu; do \
// RUN:   %clang --target=x86_64-linux-gnu $options -O1 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=BIAS --implicit-check-not='addrspace(256)' || exit 1; \
// RUN: done
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang --target=x86_64-linux-gnu -O1 -fPIE -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=BIAS --implicit-check-not='addrspace(256)'
// BIAS: @__arcline_{{bias|slot}} =
extern void take(void (*function)(int));
extern void take_table(const void *table);

int total;

// CHECK-LABEL: define {{.*}} @plain(
// CHECK-NOT:     @__arcline_gs_set
// CHECK:         load i64, ptr addrspace(256) addrspacecast (ptr @__arcline_cells{{[.0-9]*}} to ptr addrspace(256))
// CALLS-LABEL: define {{.*}} @plain(
// CALLS:         load i64, ptr addrspace(256)
// CODE-LABEL: plain:
// CODE:         incq %gs:.L__arcline_cells{{[.0-9]*}}(%rip)
void plain(int x) { total += x; }

static void given(int x);
static void kept(int x);
static void handed(int x);
static void (*const own_table[])(int) = {kept, 0};
static void (*const their_table[])(int) = {handed};

// CHECK-LABEL: define {{.*}} @use(
// CHECK-NOT:     @__arcline_gs_set
// CHECK:       }
void use(int x) {
  take(given);
  own_table[x](x);
  take_table(their_table);
}

// CHECK-LABEL: define {{.*}} @given(
// CHECK:         @__arcline_gs_set
// CHECK:         call preserve_mostcc void @__arcline_attach_thread()
static void given(int x) { total -= x; }

// CHECK-LABEL: define {{.*}} @kept(
// UNANNOUNCED:        @__arcline_gs_set
// ANNOUNCED-NOT:      @__arcline_gs_set
// CHECK:         ret void
static void kept(int x) { total ^= x; }

// CHECK-LABEL: define {{.*}} @handed(
// CHECK:         @__arcline_gs_set
static void handed(int x) { total |= x; }
