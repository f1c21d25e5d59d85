; What was inlined is not called, so mcount does not see it. Its blocks count all
; the same, in a copy of its own; as it runs as often as its caller, one update is
; enough for both.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,always-inline,arcline-place,verify -S %s | FileCheck %s
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount opt -load-pass-plugin=%plugin -passes=arcline-count,always-inline,arcline-place,verify -S %s | FileCheck %s --check-prefix=MCOUNT

; The body has one cell, and a copy for each function: own, number of copies,
; slots, bytes of the plan. Edges of the plan: into node 0
; with cell 0, and out of it. Each copy has one: counter 0 of @big is the first,
; that of @small the second.
; CHECK: @__arcline_cells = private local_unnamed_addr global [1 x i64]
; CHECK: @__arcline_plan = {{.*}} c"\01\02\00\01\0A\01\02\03\01\06\00\01\00\01\00",
; CHECK: @__arcline_unit = private local_unnamed_addr constant { i32, [2 x i32] } { i32 2,
define internal i32 @small(i32 %x) alwaysinline {
  %y = add i32 %x, 1
  ret i32 %y
}
define dso_local i32 @big(i32 %x) {
; CHECK-LABEL: define dso_local i32 @big(
; CHECK-COUNT-1: store i64
; CHECK-NOT:     store i64
; CHECK:         ret i32
; MCOUNT-LABEL: define dso_local i32 @big(
; MCOUNT:        call void @__arcline_mcount(ptr {{.*}}, ptr @big)
; MCOUNT-NOT:    call void @__arcline_mcount(
  %y = call i32 @small(i32 %x)
  ret i32 %y
}
