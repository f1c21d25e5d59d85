; Counts of a loop with a trip count are kept in a register and added up where it
; ends, unless control may get away otherwise or the loop waits for somebody.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-promote,arcline-place,verify -S %s | FileCheck %s
; RUN: env ARCLINE_PASS_OPTIONS=promote=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-promote,arcline-place,verify -S %s | FileCheck %s --check-prefix=OFF

declare void @stranger()
declare void @tame() nounwind willreturn

define void @single(i64 %n) {
; CHECK-LABEL: define void @single(
; CHECK:       loop:
; CHECK-NEXT:    %[[SUM:.*]] = phi i64 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %loop ]
; CHECK-NOT:     store
; CHECK:         %[[NEXT]] = add i64 %[[SUM]], 1
; CHECK-NEXT:    br i1 %more, label %loop, label %exit
; CHECK:       exit:
; CHECK:         %[[OLD:.*]] = load i64
; CHECK-NEXT:    %[[NEW:.*]] = add i64 %[[OLD]], %[[SUM]]
; CHECK:         store i64 %[[NEW]]
; OFF-LABEL: define void @single(
; OFF:       loop:
; OFF:         store i64
; OFF:       exit:
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @tame()
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The inner loop's count goes behind it, where it is left in memory.
define void @nested(i64 %n) {
; CHECK-LABEL: define void @nested(
; CHECK:       inner:
; CHECK-NOT:     store
; CHECK:       latch:
; CHECK:         store i64
; CHECK:       exit:
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  call void @tame()
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %i
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}

; Nobody knows how often this one goes round: an increment in memory is cheaper.
define void @exits(i64 %n, ptr %p) {
; CHECK-LABEL: define void @exits(
; CHECK:       loop:
; CHECK:         store i64
; CHECK:       done:
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %x = load i64, ptr %p
  %is = icmp eq i64 %x, %i
  br i1 %is, label %found, label %body
body:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
found:
  ret void
}

define void @calls(i64 %n) {
; CHECK-LABEL: define void @calls(
; CHECK:       loop:
; CHECK:         store i64
; CHECK:       exit:
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @stranger()
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @waits(ptr %p) {
; CHECK-LABEL: define void @waits(
; CHECK:       loop:
; CHECK:         store i64
; CHECK:       exit:
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr %p
  %more = icmp eq i32 %x, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @spins(ptr %p) {
; CHECK-LABEL: define void @spins(
; CHECK:       loop:
; CHECK:         store i64
; CHECK:       exit:
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr %p monotonic, align 4
  %more = icmp eq i32 %x, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
