; A recursive function is instrumented like any other: one entry, one call.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define dso_local i32 @fact(i32 %n) {
; CHECK-LABEL: define dso_local i32 @fact(
; CHECK-COUNT-1: call void @__arcline_mcount(
; CHECK-NOT:     call void @__arcline_mcount(
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
