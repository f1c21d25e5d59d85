; A call that the optimiser made several of is one call site still: all of them
; share its record, or the first callee of each would count for all.
; RUN: opt -load-pass-plugin=%plugin -passes="arcline-count,function(loop-unroll<full-unroll-max=8>),arcline-place,verify" -S %s | FileCheck %s

; CHECK: @__arcline_site.table = private local_unnamed_addr global [1 x
; CHECK-NOT: @__arcline_site.table.{{[0-9]+}} =
define void @f(ptr %table) {
; CHECK-LABEL: define void @f(
; CHECK-COUNT-3: call {{.*}}void @__arcline_indirect(ptr @__arcline_site.table,
; CHECK-NOT:     call {{.*}}void @__arcline_indirect(
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr ptr, ptr %table, i64 %i
  %callee = load ptr, ptr %at
  call void %callee()
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 3
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
