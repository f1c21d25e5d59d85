; An indirect call is marked early; what counts its callees comes late: a record
; of the first callee, and a call of the runtime for others.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s --check-prefix=EARLY
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s
; RUN: env ARCLINE_PASS_OPTIONS=calls=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=NONE
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=NONE

; NONE-NOT: __arcline_site
; NONE-NOT: @__arcline_indirect(
; NONE-NOT: arcline.indirect

; CHECK: @__arcline_site.table = private global [1 x { i64, i32, i32 }] [{ i64, i32, i32 } { i64 0, {{.*}} section "__arcline_site", align 8, !associated

define i32 @plain(ptr %f) {
; EARLY-LABEL: define i32 @plain(
; EARLY:         call void @arcline.indirect(ptr %f, i64 {{.*}}, i32 0)
; EARLY:         call i32 %f()
; CHECK-LABEL: define i32 @plain(
; CHECK:         %[[FIRST:.*]] = load ptr, ptr @__arcline_site.table
; CHECK-NEXT:    %[[OTHER:.*]] = icmp ne ptr %f, %[[FIRST]]
; CHECK-NEXT:    br i1 %[[OTHER]], label %[[SLOW:.*]], label %[[CALL:.*]], !prof
; CHECK:       [[SLOW]]:
; CHECK-NEXT:    call {{(preserve_mostcc )?}}void @__arcline_indirect(ptr @__arcline_site.table{{.*}}, ptr %f)
; CHECK-NEXT:    br label %[[CALL]]
; CHECK:       [[CALL]]:
; CHECK:         call i32 %f()
  %x = call i32 %f()
  ret i32 %x
}

define i32 @tail(ptr %f) {
; CHECK-LABEL: define i32 @tail(
; CHECK:         @__arcline_indirect(
; CHECK:         %x = musttail call i32 %f(ptr %f)
; CHECK-NEXT:    ret i32 %x
  %x = musttail call i32 %f(ptr %f)
  ret i32 %x
}

; The second call of the graph.
define void @second(ptr %f) {
; EARLY-LABEL: define void @second(
; EARLY:         call void @arcline.indirect(ptr %f, i64 {{.*}}, i32 1)
; EARLY:         call void %f()
  call void @elsewhere()
  call void %f()
  ret void
}
declare void @elsewhere()

; CHECK-NOT: @arcline.indirect
