; Before link-time optimisation no block addresses are taken: they would keep
; functions from being inlined at link time.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define void @f(i1 %c) {
; CHECK-NOT: blockaddress
; CHECK: store i64
; CHECK-NOT: blockaddress
entry:
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr null
  br label %b
b:
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"EnableSplitLTOUnit", i32 0}
