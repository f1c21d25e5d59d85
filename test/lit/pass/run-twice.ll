; Loaded twice, or run again at link time: the second run changes nothing.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,arcline-count,arcline-place,verify -S %s -o %t.twice
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s -o %t.once
; RUN: cmp %t.once %t.twice
; RUN: FileCheck %s < %t.twice

define void @f() {
; CHECK-COUNT-1: store i64
; CHECK-NOT: store i64
  ret void
}
