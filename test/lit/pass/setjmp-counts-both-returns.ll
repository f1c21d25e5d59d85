; What follows setjmp is entered by every return of it, and counted there, also
; where nothing but a return follows.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s

declare i32 @setjmp(ptr) returns_twice nounwind

define i32 @f(ptr %b) {
; CHECK-LABEL: define i32 @f(
; CHECK:         %r = call i32 @setjmp(ptr %b)
; CHECK:         atomicrmw nand
; CHECK:         ret i32 %r
  %r = call i32 @setjmp(ptr %b) returns_twice
  ret i32 %r
}
