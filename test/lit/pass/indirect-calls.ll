; An indirect call is marked early; what counts its callees comes late: a record
; of the first two callees, a cell for the second, and a call of the runtime for
; others.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s --check-prefix=EARLY
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s
; RUN: env ARCLINE_PASS_OPTIONS=calls=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=NONE
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=NONE

; NONE-NOT: __arcline_site
; NONE-NOT: @__arcline_indirect(
; NONE-NOT: arcline.indirect

; The entry and the second callee.
; CHECK: @__arcline_cells = private local_unnamed_addr global [2 x i64]
; CHECK: @__arcline_site.table = private local_unnamed_addr global [1 x { i64, i64, i32, i32, i32, i32 }] [{ i64, i64, i32, i32, i32, i32 } { i64 0, i64 0, {{.*}}@__arcline_body.table {{.*}}@__arcline_cells, i64 8{{.*}} section "__arcline_site", align 8, !associated

define i32 @plain(ptr %f) {
; EARLY-LABEL: define i32 @plain(
; EARLY:         call void @arcline.indirect(ptr %f, i64 {{.*}}, i32 0)
; EARLY:         call i32 %f()
; CHECK-LABEL: define i32 @plain(
; CHECK:         %[[FIRST:.*]] = load ptr, ptr @__arcline_site.table
; CHECK-NEXT:    %[[OTHER:.*]] = icmp ne ptr %f, %[[FIRST]]
; CHECK-NEXT:    br i1 %[[OTHER]], label %[[MORE:.*]], label %[[CALL:.*]], !prof
; CHECK:       [[MORE]]:
; CHECK-NEXT:    %[[SECOND:.*]] = load ptr, ptr getelementptr {{.*}}@__arcline_site.table, i64 8)
; CHECK-NEXT:    %[[IS:.*]] = icmp eq ptr %f, %[[SECOND]]
; CHECK-NEXT:    br i1 %[[IS]], label %[[COUNT:.*]], label %[[SLOW:[^,]*]]
; CHECK:       [[COUNT]]:
; CHECK-NEXT:    getelementptr inbounds {{.*}}%arcline.cells, i64 {{1|8}}
; CHECK:         store i64
; CHECK:       [[SLOW]]:
; CHECK-NEXT:    call {{.*}}void @__arcline_indirect(ptr @__arcline_site.table, ptr %f)
; CHECK:       [[CALL]]:
; CHECK:         store i64
; CHECK-NEXT:    %x = call i32 %f()
; CHECK-NEXT:    ret i32 %x
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
