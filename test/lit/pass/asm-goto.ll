; The indirect targets of callbr cannot be split off either.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define i32 @jumps(i32 %x) {
; CHECK-LABEL: define i32 @jumps(
; CHECK:         callbr void asm sideeffect
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %jump, label %out
jump:
  callbr void asm sideeffect "", "!i"() to label %on [label %out]
on:
; CHECK:       on:
; CHECK:         add i64 {{.*}}, 1
  ret i32 1
out:
; CHECK:       out:
; CHECK:         add i64 {{.*}}, 1
  ret i32 0
}
