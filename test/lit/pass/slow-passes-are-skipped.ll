; Of a phi with many references to itself, CorrelatedValuePropagation asks whether
; it may be poison, which takes minutes for a large loop around a switch: it is
; skipped. It runs on small loops, and on functions that are not instrumented.
; RUN: opt -load-pass-plugin=%plugin -passes=correlated-propagation -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s
; RUN: sed 's/"arcline-function"=[^ ]*//' %s > plain.ll
; RUN: opt -load-pass-plugin=%plugin -passes=correlated-propagation -debug-pass-manager -disable-output plain.ll 2>&1 | FileCheck %s --check-prefix=PLAIN
; CHECK: Running pass: CorrelatedValuePropagationPass on small
; CHECK: Skipping pass: CorrelatedValuePropagationPass on large
; PLAIN: Running pass: CorrelatedValuePropagationPass on small
; PLAIN: Running pass: CorrelatedValuePropagationPass on large

define i32 @small(ptr %p) "arcline-function"="small" {
entry:
  br label %head
head:
  %state = phi i32 [ 0, %entry ], [ %state, %case0 ], [ %state, %case1 ], [ %state, %case2 ], [ %next, %kept ]
  %what = load volatile i32, ptr %p
  switch i32 %what, label %change [
    i32 0, label %case0
    i32 1, label %case1
    i32 2, label %case2
    i32 100, label %done
  ]
case0:
  store volatile i32 0, ptr %p
  br label %head
case1:
  store volatile i32 1, ptr %p
  br label %head
case2:
  store volatile i32 2, ptr %p
  br label %head
change:
  %is_set = icmp eq i32 %state, 0
  br i1 %is_set, label %set, label %kept
set:
  br label %kept
kept:
  %next = phi i32 [ 7, %set ], [ %state, %change ]
  br label %head
done:
  ret i32 %state
}

define i32 @large(ptr %p) "arcline-function"="large" {
entry:
  br label %head
head:
  %state = phi i32 [ 0, %entry ], [ %state, %case0 ], [ %state, %case1 ], [ %state, %case2 ], [ %state, %case3 ], [ %state, %case4 ], [ %state, %case5 ], [ %state, %case6 ], [ %state, %case7 ], [ %state, %case8 ], [ %state, %case9 ], [ %state, %case10 ], [ %state, %case11 ], [ %next, %kept ]
  %what = load volatile i32, ptr %p
  switch i32 %what, label %change [
    i32 0, label %case0
    i32 1, label %case1
    i32 2, label %case2
    i32 3, label %case3
    i32 4, label %case4
    i32 5, label %case5
    i32 6, label %case6
    i32 7, label %case7
    i32 8, label %case8
    i32 9, label %case9
    i32 10, label %case10
    i32 11, label %case11
    i32 100, label %done
  ]
case0:
  store volatile i32 0, ptr %p
  br label %head
case1:
  store volatile i32 1, ptr %p
  br label %head
case2:
  store volatile i32 2, ptr %p
  br label %head
case3:
  store volatile i32 3, ptr %p
  br label %head
case4:
  store volatile i32 4, ptr %p
  br label %head
case5:
  store volatile i32 5, ptr %p
  br label %head
case6:
  store volatile i32 6, ptr %p
  br label %head
case7:
  store volatile i32 7, ptr %p
  br label %head
case8:
  store volatile i32 8, ptr %p
  br label %head
case9:
  store volatile i32 9, ptr %p
  br label %head
case10:
  store volatile i32 10, ptr %p
  br label %head
case11:
  store volatile i32 11, ptr %p
  br label %head
change:
  %is_set = icmp eq i32 %state, 0
  br i1 %is_set, label %set, label %kept
set:
  br label %kept
kept:
  %next = phi i32 [ 7, %set ], [ %state, %change ]
  br label %head
done:
  ret i32 %state
}
