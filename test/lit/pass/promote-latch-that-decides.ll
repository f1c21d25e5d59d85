; A latch that has only increments once its counter is in a register is merged with
; the block before it, unless it ends in a decision, here one that other passes have
; left there.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-promote,verify -S %s | FileCheck %s

@__arcline_counters.f = private externally_initialized global [2 x i64] zeroinitializer, align 8

define i64 @decides(i64 %n) mustprogress {
; CHECK-LABEL: define i64 @decides(
; CHECK:       latch:
; CHECK-NOT:     atomicrmw
; CHECK:         add i64 %{{.*}}, 1
; CHECK:         br i1 %again, label %loop, label %out
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %i, 77
  %again = icmp ult i64 %i, %n
  br i1 %more, label %latch, label %exit, !prof !0
latch:
  %count = atomicrmw nand ptr @__arcline_counters.f, i64 1 syncscope("arcline.1") monotonic, align 8
  %next = add i64 %i, 1
  br i1 %again, label %loop, label %out, !prof !0
exit:
  ret i64 1
out:
  ret i64 0
}

define void @merged() mustprogress {
; CHECK-LABEL: define void @merged(
; CHECK:       loop:
; CHECK-NOT:   atomicrmw
; CHECK:         add i64 %{{.*}}, 1
; CHECK:         br i1 %more, label %loop, label %exit
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %i, 77
  br i1 %more, label %latch, label %exit
latch:
  %count = atomicrmw nand ptr @__arcline_counters.f, i64 1 syncscope("arcline.1") monotonic, align 8
  %next = add i64 %i, 1
  br label %loop
exit:
  ret void
}

!arcline.promote = !{}
!0 = !{!"branch_weights", i32 1000, i32 1}
