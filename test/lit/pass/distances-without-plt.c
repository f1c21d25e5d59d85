// The distance to a function is never one "or to its PLT entry", which GNU ld 2.40
// does not support on other machines than x86-64: also not after link-time
// optimisation, which finds that the addresses of more functions are not significant.
//
// RUN: for target in aarch64 riscv64 x86_64; do \
// RUN:   %clang --target=$target-linux-gnu -O2 -fPIE -flto -fpass-plugin=%plugin -c %s -o code.bc && \
// RUN:   opt -passes='internalize,globalopt' code.bc -o linked.bc && \
// RUN:   llc -filetype=obj -relocation-model=pic linked.bc -o $target.o || exit 1; \
// RUN:   llvm-readelf -rW $target.o > relocations && FileCheck %s < relocations || exit 1; \
// RUN: done
// CHECK-LABEL: .rela__arcline_body
// CHECK-NOT: {{PLT32|Unknown}}
// CHECK: __arcline_plan
// CHECK-NOT: {{PLT32|Unknown}}
// CHECK-LABEL: .rela__arcline_data
static volatile int sink;

__attribute__((noinline)) static void called(void) { sink++; }

int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    called();
  return argv[0][0];
}
