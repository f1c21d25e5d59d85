; A block that is deleted after it was listed leaves -1 in the table, not the
; distance to the constant that LLVM puts in an address's place. No address needs a
; relocation. Here, code generation deletes %yes.
; RUN: %clang --target=x86_64-linux-gnu -O0 -fPIE -Wno-override-module -fpass-plugin=%plugin -S %s -o - | FileCheck %s
; RUN: %clang --target=x86_64-linux-gnu -O0 -fPIE -Wno-override-module -fpass-plugin=%plugin -c %s -o %t.o
; RUN: llvm-readelf -rW %t.o | FileCheck %s --check-prefix=OBJECT
; RUN: opt -load-pass-plugin=%plugin -S %s \
; RUN:   -passes='arcline-count,arcline-place,lower-constant-intrinsics,simplifycfg,verify' \
; RUN:   | FileCheck %s --check-prefix=IR

; CHECK: .ascii {{.*}}\000\004"
; CHECK-NEXT: .long 0{{( |$)}}
; CHECK-NEXT: .long 4294967295
; CHECK-NEXT: .long .L{{.*}}-.Lmain.arcline
; CHECK-NEXT: .long .L{{.*}}-.Lmain.arcline
; CHECK-NEXT: .ascii "\000\002\004\004"

; The list of functions: one.
; OBJECT: '.rela__arcline_data' at offset {{.*}} contains 1 entries:

; IR: @__arcline_plan = {{.*}}, [4 x i32] [i32 sub {{.*}}, i32 -1, i32 sub {{.*}}blockaddress(@main, %no)
define i32 @main(i32 %n) {
entry:
  %is_constant = call i1 @llvm.is.constant.i32(i32 %n)
  br i1 %is_constant, label %yes, label %no
yes:
  %a = call i32 @f(i32 1)
  br label %out
no:
  %b = call i32 @f(i32 2)
  br label %out
out:
  ret i32 0
}
declare i1 @llvm.is.constant.i32(i32)
declare i32 @f(i32)
