; Of updates that run equally often one is left. A call that may not return keeps
; what stands before it apart from what stands behind.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,always-inline,arcline-place,verify -S %s | FileCheck %s

declare void @stranger()
declare void @tame() nounwind willreturn

define internal void @inner() alwaysinline {
  call void @tame()
  ret void
}

; Two copies of @inner, and @straight itself: one cell; each copy of a source
; function adds up what its counter counts: twice edge 1 or 3.
; CHECK: @__arcline_cells = private local_unnamed_addr global [1 x i64]
; CHECK: @__arcline_plan = {{.*}} c"\01\02\00\01
define void @straight() {
; CHECK-LABEL: define void @straight()
; CHECK-COUNT-1: store i64
; CHECK-NOT:     store i64
; CHECK:         ret void
  call void @inner()
  call void @inner()
  ret void
}

define void @cut() {
; CHECK-LABEL: define void @cut()
; CHECK:         store i64
; CHECK:         call void @stranger()
; CHECK:         store i64
; CHECK-NOT:     store i64
; CHECK:         ret void
  call void @inner()
  call void @stranger()
  call void @inner()
  ret void
}

; Of three updates on two ways one follows from the others.
define void @branches(i1 %c) {
; CHECK-LABEL: define void @branches(
; CHECK-COUNT-2: store i64
; CHECK-NOT:     store i64
; CHECK:         ret void
entry:
  call void @inner()
  br i1 %c, label %then, label %else
then:
  call void @inner()
  br label %end
else:
  call void @inner()
  br label %end
end:
  ret void
}
