; Nothing to count where nothing can run.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define void @never() {
; CHECK-LABEL: define void @never()
; CHECK-NEXT:    unreachable
  unreachable
}
; CHECK-NOT: __arcline
