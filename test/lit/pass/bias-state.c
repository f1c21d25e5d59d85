// Only code of shared libraries can run before counters exist, or get no word
// of static thread-local storage.
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang -fno-discard-value-names -O1 -fno-pie -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,PROGRAM --implicit-check-not=__arcline_ready --implicit-check-not=__arcline_slot
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang -fno-discard-value-names -O1 -fPIE -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,PROGRAM --implicit-check-not=__arcline_ready --implicit-check-not=__arcline_slot
// RUN: %clang --target=x86_64-linux-gnu -fno-discard-value-names -O1 -fPIC -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,LIBRARY,FS --implicit-check-not=__arcline_bias{{$}} --implicit-check-not=thread_local
// RUN: %clang --target=aarch64-linux-gnu -fno-discard-value-names -O1 -fPIC -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,LIBRARY,POINTER --implicit-check-not=__arcline_bias{{$}} --implicit-check-not=thread_local
// RUN: %clang --target=x86_64-linux-musl -O2 -fPIC -fpass-plugin=%plugin -S %s -o - | FileCheck %s --check-prefix=CODE

// LIBRARY: @__arcline_slot = external hidden global i64
int global;
int (*pointer)(int);

// A static function that only counting functions call finds the bias set, if the
// library has a word for it.
__attribute__((noinline)) static int behind(int x) { return global = x; }

// Any code with its address may call this one.
__attribute__((noinline)) static int exposed(int x) { return global = x + 1; }

// CHECK-LABEL: define {{.*}} @outer(
// LIBRARY:       %[[SLOT:.*]] = load i64, ptr @__arcline_slot
// LIBRARY:       %[[NONE:.*]] = icmp eq i64 %[[SLOT]], 0
// LIBRARY-NEXT:  br i1 %[[NONE]], label %arcline.slow, label %arcline.fast
// LIBRARY:     arcline.fast:
// FS-NEXT:       %[[AT:.*]] = inttoptr i64 %[[SLOT]] to ptr addrspace(257)
// FS-NEXT:       %[[BIAS:.*]] = load i64, ptr addrspace(257) %[[AT]]
// POINTER-NEXT:  %[[OWN:.*]] = call ptr @llvm.thread.pointer
// POINTER-NEXT:  %[[AT:.*]] = getelementptr i8, ptr %[[OWN]], i64 %[[SLOT]]
// POINTER-NEXT:  %[[BIAS:.*]] = load i64, ptr %[[AT]]
// LIBRARY-NEXT:  icmp eq i64 %[[BIAS]], 0
// PROGRAM:       @__arcline_bias)
// CHECK:         call {{.*}} @__arcline_bias_slow()
// CODE-LABEL: outer:
// CODE:         movq __arcline_slot(%rip), %[[SLOT:r[a-z0-9]+]]
// CODE-NEXT:    testq %[[SLOT]], %[[SLOT]]
// CODE-NEXT:    je
// CODE:         movq %fs:(%[[SLOT]]), %
int outer(int x) {
  pointer = exposed;
  return behind(x) + 1;
}

// CHECK-LABEL: define {{.*}} @exposed(
// LIBRARY:       load i64, ptr @__arcline_slot
// PROGRAM:       @__arcline_bias)
// CHECK:         call {{.*}} @__arcline_bias_slow()

// CHECK-LABEL: define {{.*}} @behind(
// LIBRARY:       load i64, ptr @__arcline_slot
// LIBRARY:       br i1 {{.*}}, label %arcline.slow, label %arcline.fast
// LIBRARY:     arcline.fast:
// LIBRARY:       br label
// LIBRARY:       call {{.*}} @__arcline_bias_slow()
// PROGRAM:       @__arcline_bias)
// PROGRAM-NOT:   @__arcline_bias_slow()
// CHECK:       }
