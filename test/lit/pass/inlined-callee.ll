; Arcs are counted after inlining: what was inlined is not called. Its blocks
; count all the same.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,always-inline,arcline-place,verify -S %s | FileCheck %s

; CHECK: @__arcline_counters = private global [3 x i64]
define internal i32 @small(i32 %x) alwaysinline {
  %y = add i32 %x, 1
  ret i32 %y
}
define dso_local i32 @big(i32 %x) {
; CHECK-LABEL: define dso_local i32 @big(
; CHECK:         call void @__arcline_mcount(ptr {{.*}}, ptr @big)
; CHECK-NOT:     __arcline_mcount
; CHECK:         store i64 {{.*}}, ptr
; CHECK:         store i64 {{.*}}, ptr
; CHECK:         ret i32
  %y = call i32 @small(i32 %x)
  ret i32 %y
}
