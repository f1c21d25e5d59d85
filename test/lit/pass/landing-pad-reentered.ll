; A landing pad is entered over edges that cannot be counted: it has a counter
; of its own, behind the landingpad instruction.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

declare void @throws()
declare i32 @__gxx_personality_v0(...)

define i32 @catches() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define i32 @catches()
entry:
  invoke void @throws() to label %fine unwind label %pad
fine:
  invoke void @throws() to label %done unwind label %pad
done:
  ret i32 0
pad:
; CHECK:       pad:
; CHECK-NEXT:    landingpad
; CHECK-NEXT:      catch ptr null
; CHECK:         add i64 {{.*}}, 1
  %p = landingpad { ptr, i32 } catch ptr null
  ret i32 1
}
