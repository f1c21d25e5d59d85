; The user's wish, as the front end passes it on: noprofile for
; no_profile_instrument_function; for no_instrument_function the absence of the
; request that (cc1's) -pg puts on all other functions.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define void @noprofile() noprofile {
; CHECK-LABEL: define void @noprofile()
; CHECK-NEXT:    ret void
  ret void
}

define void @unrequested() {
; CHECK-LABEL: define void @unrequested()
; CHECK-NEXT:    ret void
  ret void
}

define void @requested() "instrument-function-entry-inlined"="mcount" {
; CHECK-LABEL: define void @requested()
; CHECK:         store i64
  ret void
}

; Static initialisers are the user's code although nobody could request them.
define internal void @_GLOBAL__sub_I_x() section ".text.startup" {
; CHECK-LABEL: define internal void @_GLOBAL__sub_I_x()
; CHECK:         store i64
  ret void
}
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @_GLOBAL__sub_I_x, ptr null }]

; CHECK-NOT: instrument-function-entry-inlined
