; Around calls that may make a process without handlers of fork(), the runtime
; looks whether it is in the new one; also in a function that clone() calls there.
; Other system calls make none.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

declare i32 @_Fork()
declare i64 @syscall(i64, ...)
declare i32 @clone(ptr, ptr, i32, ptr, ...)
declare i32 @__gxx_personality_v0(...)

define dso_local i32 @forks() {
; CHECK-LABEL: define dso_local i32 @forks(
; CHECK:       call {{.*}}void @__arcline_before_fork(i64 -1)
; CHECK:       call i32 @_Fork()
; CHECK-NEXT:  call {{.*}}void @__arcline_after_fork()
  %one = call i32 @_Fork()
  ret i32 %one
}

define dso_local i64 @calls(i64 %number) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define dso_local i64 @calls(
; CHECK:       call {{.*}}void @__arcline_before_fork(i64 %number)
; CHECK:       invoke i64 (i64, ...) @syscall(i64 %number)
; CHECK:       call {{.*}}void @__arcline_after_fork()
  %one = invoke i64 (i64, ...) @syscall(i64 %number) to label %good unwind label %bad
good:
  ret i64 %one
bad:
  %value = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %value
}

define dso_local i64 @cloned_by_number() {
; CHECK-LABEL: define dso_local i64 @cloned_by_number(
; CHECK:       call {{.*}}void @__arcline_before_fork(i64 -1)
; CHECK:       call {{.*}}@syscall(i64 56
; CHECK-NEXT:  call {{.*}}void @__arcline_after_fork()
  %one = call i64 (i64, ...) @syscall(i64 56, i64 17)
  ret i64 %one
}

define dso_local i64 @not_a_fork() {
; CHECK-LABEL: define dso_local i64 @not_a_fork(
; CHECK-NOT:   _fork()
; CHECK:       ret i64
  %one = call i64 (i64, ...) @syscall(i64 39)
  ret i64 %one
}

define internal i32 @child(ptr %unused) {
; CHECK-LABEL: define internal i32 @child(
; CHECK-NEXT:  call {{.*}}void @__arcline_after_fork()
; CHECK-NOT:   _fork()
; CHECK:       ret i32
  ret i32 0
}

define dso_local i32 @clones(ptr %stack) {
; CHECK-LABEL: define dso_local i32 @clones(
; CHECK:       call {{.*}}void @__arcline_before_fork(i64 -1)
; CHECK:       call {{.*}}@clone(
; CHECK-NEXT:  ret
  %one = call i32 (ptr, ptr, i32, ptr, ...) @clone(ptr @child, ptr %stack, i32 17, ptr null)
  ret i32 %one
}
