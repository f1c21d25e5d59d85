; Nothing comes between a musttail call and its return.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

declare i32 @next(i32)

define i32 @tail(i32 %x) {
; CHECK-LABEL: define i32 @tail(
; CHECK:         store i64
; CHECK:         %r = musttail call i32 @next(i32 %x)
; CHECK-NEXT:    ret i32 %r
  %r = musttail call i32 @next(i32 %x)
  ret i32 %r
}
