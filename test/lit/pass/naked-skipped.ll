; A naked function has no frame in which anything could be called or counted.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

define void @naked() naked {
; CHECK-LABEL: define void @naked()
; CHECK-NEXT:    call void asm sideeffect "ret", ""()
; CHECK-NEXT:    unreachable
  call void asm sideeffect "ret", ""()
  unreachable
}
; CHECK-NOT: __arcline
