; Code of the runtime itself is never instrumented, whoever compiles it.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define void @__arcline_helper() {
; CHECK-LABEL: define void @__arcline_helper()
; CHECK-NEXT:    ret void
  ret void
}
define void @kernelish() section ".noinstr.text" {
; CHECK-LABEL: define void @kernelish()
; CHECK-NEXT:    ret void
  ret void
}
