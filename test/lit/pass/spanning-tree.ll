; Only edges outside of a spanning tree of the flow graph get counters.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s

; 5 nodes and EXIT; edges: entry, 0-1, 1-2, 1-4, 2-3, 2-1, 3-1, exit = 8; a
; spanning tree takes 5 of them. Of edges that are passed equally often, the first
; is counted: the entry, not the exit.
; CHECK: @__arcline_counters.loop = private externally_initialized global [3 x i64] zeroinitializer
; CHECK-LABEL: define i32 @loop(
; CHECK:       entry:
; CHECK:         atomicrmw nand ptr @__arcline_counters.loop, i64 1
; CHECK:       done:
; CHECK-NOT:     atomicrmw

define i32 @loop(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ], [ %next, %odd ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %next = add i32 %i, 1
  %bit = and i32 %i, 1
  %isodd = icmp ne i32 %bit, 0
  br i1 %isodd, label %odd, label %head
odd:
  br label %head
done:
  ret i32 %i
}
