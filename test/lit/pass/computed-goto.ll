; Edges of an indirectbr cannot be split: its targets count themselves.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define i32 @interpret(ptr %to, i32 %x) {
; CHECK-LABEL: define i32 @interpret(
entry:
  indirectbr ptr %to, [label %one, label %two]
one:
; CHECK:       one:
; CHECK:         add i64 {{.*}}, 1
  %again = icmp eq i32 %x, 0
  br i1 %again, label %two, label %end
two:
; CHECK:       two:
; CHECK:         add i64 {{.*}}, 1
  br label %end
end:
  ret i32 0
}
