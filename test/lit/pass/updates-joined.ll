; Updates that control passes together are one as long as the optimiser works.
; In the end each of them is there again, or follows from another one.
; RUN: opt -load-pass-plugin=%plugin -S %s -o %t.joined.ll \
; RUN:   -passes='arcline-count,always-inline,function(simplifycfg),arcline-join'
; RUN: FileCheck %s --check-prefix=JOINED --input-file=%t.joined.ll
; RUN: opt -load-pass-plugin=%plugin -S %t.joined.ll -passes=arcline-place,verify \
; RUN:   | FileCheck %s --implicit-check-not=@__arcline_counters
; RUN: env ARCLINE_PASS_OPTIONS=promote=off opt -load-pass-plugin=%plugin -S %s \
; RUN:   -passes='arcline-count,always-inline,function(simplifycfg),arcline-join' \
; RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not=counters.joined

; If their counters share a synchronisation scope, SimplifyCFG makes one update
; of two rows. Each branch has its own again.
; RUN: sed -e 's/syncscope("arcline[^"]*")/syncscope("arcline.0")/' \
; RUN:     -e 's/call void @update(i64 \(.*\))/atomicrmw nand ptr @__arcline_counters.joined, i64 \1 syncscope("arcline.0") monotonic, align 8/' %t.joined.ll \
; RUN:   | opt -S -passes='simplifycfg<sink-common-insts>' -o %t.merged.ll
; RUN: FileCheck %s --check-prefix=MERGED --input-file=%t.merged.ll
; RUN: opt -load-pass-plugin=%plugin -S %t.merged.ll -passes=arcline-place,verify \
; RUN:   | FileCheck %s --check-prefix=SEPARATE --implicit-check-not=@__arcline_counters

; A call ends a row: a dump from it has to count what was before it only.
; JOINED-LABEL: define void @row(
; JOINED:         atomicrmw nand ptr @__arcline_counters.joined, i64 1 
; JOINED-NOT:     atomicrmw
; JOINED:         call void @f()
; JOINED:         atomicrmw nand ptr @__arcline_counters.inlined, i64 1 
; JOINED:       }
; CHECK-LABEL: define void @row(
; CHECK:         store i64
; CHECK-NOT:     store
; CHECK:       }
; OFF-LABEL: define void @row(
; OFF:         atomicrmw
; OFF:         atomicrmw
; OFF:         call void @f()
define void @row() {
  call void @inlined()
  call void @inlined()
  call void @f()
  call void @inlined()
  ret void
}

; MERGED-LABEL: define void @branches(
; MERGED:         phi i64
; MERGED:         atomicrmw nand ptr @__arcline_counters.joined, i64 %
; One of them follows from the other and the calls.
; SEPARATE-LABEL: define void @branches(
; SEPARATE:       call void @f()
; SEPARATE:       store i64
; SEPARATE:       call void @g()
; SEPARATE-NOT:   {{phi|select|store}}
; SEPARATE:     ret void
define void @branches(i1 %x) {
entry:
  br i1 %x, label %a, label %b, !prof !0
a:
  call void @f()
  call void @inlined()
  call void @inlined()
  br label %out
b:
  call void @g()
  call void @inlined()
  call void @inlined()
  br label %out
out:
  ret void
}

; If the update is not where the branches meet, it counts what was chosen there.
; MERGED-LABEL: define void @chosen_before(
; MERGED:         %p = phi i64
; MERGED:         atomicrmw nand ptr @__arcline_counters.joined, i64 %p
; SEPARATE-LABEL: define void @chosen_before(
; SEPARATE:       %p = phi i64
; SEPARATE:       icmp eq i64 %p, 1
; SEPARATE:       select i1 %{{.*}}, i64 1, i64 0
; SEPARATE:       icmp eq i64 %p, 2
; SEPARATE:       select i1 %{{.*}}, i64 1, i64 0
; SEPARATE:       icmp eq i64 %p, 3
; SEPARATE:       select i1 %{{.*}}, i64 1, i64 0
; SEPARATE:       ret void
define void @chosen_before(i1 %x, i1 %y) {
entry:
  br i1 %x, label %a, label %b
a:
  call void @f()
  br label %out
b:
  call void @g()
  %q = select i1 %y, i64 2, i64 3
  br label %out
out:
  %p = phi i64 [ 1, %a ], [ %q, %b ]
  call void @may_not_return()
  call void @update(i64 %p)
  ret void
}

; A joined counter of a loop is added up after it, each member on its own.
; RUN: opt -load-pass-plugin=%plugin -S %t.joined.ll -passes=arcline-promote \
; RUN:   | FileCheck %s --check-prefix=LOOP
; LOOP-LABEL: define void @loop(
; LOOP:       loop:
; LOOP-NOT:     atomicrmw
; LOOP:         br i1
; LOOP:       exit:
; LOOP-DAG:     atomicrmw add ptr @__arcline_counters.inlined,
; LOOP-DAG:     atomicrmw add ptr @__arcline_counters.inlined,
; LOOP-NOT:     joined
; LOOP:         ret void
define void @loop(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @inlined()
  call void @inlined()
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define internal void @inlined() alwaysinline {
  call void @llvm.donothing()
  ret void
}

declare void @llvm.donothing()
declare void @f() nounwind willreturn
declare void @g() nounwind willreturn
declare void @may_not_return()
declare void @update(i64) nounwind willreturn
!0 = !{!"branch_weights", i32 1, i32 1}
