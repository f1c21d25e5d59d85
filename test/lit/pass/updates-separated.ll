; Where counters share a synchronisation scope, SimplifyCFG may make one update
; of two. It becomes two again, so that the function needs no pointer to cells.
; RUN: opt -load-pass-plugin=%plugin -S %s -passes=arcline-count \
; RUN:   | sed -e 's/syncscope("arcline[^"]*")/syncscope("arcline.0")/' \
; RUN:         -e '/atomicrmw.*joined/d' \
; RUN:         -e 's/call void @update(i64 \(.*\))/atomicrmw nand ptr @__arcline_counters.joined, i64 \1 syncscope("arcline.0") monotonic, align 8/' \
; RUN:   | opt -S -passes='simplifycfg<sink-common-insts>' -o %t.ll
; RUN: FileCheck %s --check-prefix=ONE --input-file=%t.ll
; RUN: opt -load-pass-plugin=%plugin -S %t.ll -passes=arcline-place,verify \
; RUN:   | FileCheck %s

; ONE-LABEL: define void @joined(
; ONE: phi i64
; ONE: atomicrmw
; ONE-NOT: atomicrmw
; ONE: }
; CHECK-LABEL: define void @joined(
; CHECK: call void @f()
; CHECK: store i64
; CHECK: call void @g()
; CHECK: store i64
; CHECK-NOT: store
; CHECK: }
define void @joined(i1 %x) {
entry:
  br i1 %x, label %a, label %b
a:
  call void @f()
  br label %out
b:
  call void @g()
  br label %out
out:
  %p = phi i64 [ 1, %a ], [ 2, %b ]
  call void @update(i64 %p)
  ret void
}

; ONE-LABEL: define void @in_place_of_branches(
; ONE: select i1 %x, i64
; CHECK-LABEL: define void @in_place_of_branches(
; CHECK-NOT: select {{.*}} ptr
; CHECK-DAG: select i1 %x, i64 1, i64 0
; CHECK-DAG: select i1 %x, i64 0, i64 1
; CHECK-COUNT-2: store i64
; CHECK: }
define void @in_place_of_branches(i1 %x) {
entry:
  br i1 %x, label %a, label %b, !prof !0
a:
  br label %out
b:
  br label %out
out:
  ret void
}

declare void @f() nounwind willreturn
declare void @g() nounwind willreturn
declare void @update(i64) nounwind willreturn

; Or else it would be counted before the branch.
!0 = !{!"branch_weights", i32 1, i32 1}
