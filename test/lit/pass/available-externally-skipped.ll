; The linker drops these bodies for another's, and counters with them.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define available_externally i32 @elsewhere() {
; CHECK-LABEL: define available_externally i32 @elsewhere()
; CHECK-NEXT:    ret i32 1
  ret i32 1
}
; CHECK-NOT: __arcline
