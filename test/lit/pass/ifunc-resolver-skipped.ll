; A resolver runs before the program is relocated: nothing is counted in it. What
; it calls may count, so the runtime gets the chance to provide thread-local
; storage.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

@f = ifunc i32 (), ptr @resolve
define internal i32 @impl() {
; CHECK-LABEL: define internal i32 @impl()
; CHECK:         @__arcline_bias
; CHECK:         store i64
  ret i32 1
}
define internal ptr @resolve() {
; CHECK-LABEL: define internal ptr @resolve()
; CHECK-NEXT:    call void @__arcline_resolver()
; CHECK-NEXT:    ret ptr @impl
  ret ptr @impl
}
; CHECK: declare hidden void @__arcline_resolver()
