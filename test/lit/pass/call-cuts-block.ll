; A call that may not return ends a node: what follows it is counted apart. A
; call that is known to return does not.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s

; CHECK: @__arcline_counters.caller = private externally_initialized global [2 x i64] zeroinitializer
declare void @stranger()
declare void @tame() nounwind willreturn

define void @caller() {
; CHECK-LABEL: define void @caller()
; CHECK-NEXT:    atomicrmw nand ptr @__arcline_counters.caller, i64 1
; CHECK-NEXT:    call void @stranger()
; CHECK-NEXT:    atomicrmw nand ptr @__arcline_counters.caller, i64 2
; CHECK-NEXT:    call void @tame()
; CHECK-NEXT:    ret void
  call void @stranger()
  call void @tame()
  ret void
}

; Behind a call that never returns stands nothing to count.
define void @leaves() {
; CHECK-LABEL: define void @leaves()
; CHECK:         call void @stranger()
; CHECK-NEXT:    unreachable
  call void @stranger() noreturn
  unreachable
}
