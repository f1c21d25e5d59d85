; A module without bodies stays as it was, but for the mark.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

; CHECK-NOT: __arcline
; CHECK: declare void @elsewhere()
declare void @elsewhere()
; CHECK-NOT: __arcline
; CHECK: !{i32 7, !"arcline-instrumented", i32 1}
