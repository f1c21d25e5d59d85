; A block that is deleted after it was listed leaves 0 in the table: the distance
; to the constant that LLVM puts in an address's place is one that mold does not
; link. Here, code generation deletes %yes.
; RUN: %clang -O0 -fPIE -Wno-override-module -fpass-plugin=%plugin -S %s -o - | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -S %s \
; RUN:   -passes='arcline-count,arcline-place,lower-constant-intrinsics,simplifycfg,verify' \
; RUN:   | FileCheck %s --check-prefix=IR

; CHECK: .L__arcline_addresses:
; CHECK-NEXT: .long .L__arcline_func-.L__arcline_addresses
; CHECK-NEXT: .long 4
; CHECK-NEXT: .long {{.*}}main.arcline-{{.*}}
; CHECK-NEXT: .long 0{{( |$)}}
; CHECK-NEXT: .long (.L{{.*}}-.L__arcline_addresses)-16
; CHECK-NEXT: .long (.L{{.*}}-.L__arcline_addresses)-20
; CHECK-NEXT: .ascii "\000\002\004\004"

; IR: @__arcline_addresses = {{.*}}, [4 x i32] [i32 trunc {{.*}}, i32 0, i32 trunc {{.*}}blockaddress(@main, %no)
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
