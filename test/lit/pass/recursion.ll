; A recursive function is instrumented like any other: it asks for the bias, or
; calls mcount, once an entry.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefixes=CHECK,BIAS
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefixes=CHECK,MCOUNT

define dso_local i32 @fact(i32 %n) {
; CHECK-LABEL: define dso_local i32 @fact(
; MCOUNT-COUNT-1: call void @__arcline_mcount(
; MCOUNT-NOT:    call void @__arcline_mcount(
; BIAS-COUNT-1:  ptr @__arcline_bias)
; BIAS-NOT:      ptr @__arcline_bias)
; CHECK:         call i32 @fact(
entry:
  %base = icmp slt i32 %n, 2
  br i1 %base, label %one, label %more
one:
  ret i32 1
more:
  %less = sub i32 %n, 1
  %rest = call i32 @fact(i32 %less)
  %all = mul i32 %n, %rest
  ret i32 %all
}
