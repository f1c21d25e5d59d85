/* Code for targets without a runtime is not instrumented, with a warning: BPF,
   the GPU part of a file, -m32, or another CPU.

   RUN: for target in i386-linux-gnu arm-linux-gnueabihf x86_64-linux-gnux32 bpf \
   RUN:     x86_64-w64-mingw32 wasm32 s390x-linux-gnu aarch64_be-linux-gnu; do \
   RUN:   %clang --target=$target -O2 -w -S %s -o plain.s && \
   RUN:   %arcline-cc --target=$target -O2 -g0 -w -S %s -o ours.s || exit 1; \
   RUN:   diff plain.s ours.s || exit 1; \
   RUN:   %arcline-cc --target=$target -O2 -c %s -o ours.o 2>&1 | FileCheck %s || exit 1; \
   RUN: done
   CHECK: warning: arcline: code is not instrumented: {{.*}} is not supported (64-bit Linux on x86-64, AArch64 and RISC-V is);
   CHECK-NOT: arcline:

   RUN: %arcline-cc --target=bpf -Wno-backend-plugin -Werror -O2 -c %s -o ours.o
 */
int work(int n);
int work(int n) {
  volatile int sum[4] = {0};
  for (int i = 0; i < n; i++)
    sum[i & 3] += i;
  return sum[0] + sum[1];
}
