; A resolver runs before the program is relocated.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

@f = ifunc i32 (), ptr @resolve
define internal i32 @impl() {
; CHECK-LABEL: define internal i32 @impl()
; CHECK:         call void @__arcline_mcount(
  ret i32 1
}
define internal ptr @resolve() {
; CHECK-LABEL: define internal ptr @resolve()
; CHECK-NEXT:    ret ptr @impl
  ret ptr @impl
}
