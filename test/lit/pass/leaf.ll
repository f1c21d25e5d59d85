; A function with one path has one counter, on its entry, and one mcount call.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

; CHECK: @__arcline_counters = private global [1 x i64] zeroinitializer, section "__arcline_cnts", align 8
; CHECK: @__arcline_func = private constant {{.*}} section "__arcline_func", align 8
; CHECK: @llvm.used = appending global {{.*}} @__arcline_func
; CHECK: @__arcline_ready = external hidden global i8
; CHECK: @__arcline_bias = external hidden thread_local(initialexec) global i64

define dso_local i32 @leaf(i32 %x) {
; CHECK-LABEL: define dso_local i32 @leaf(
; CHECK:         %[[PC:.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK-NEXT:    call void @__arcline_mcount(ptr %[[PC]], ptr @leaf)
; CHECK-NEXT:    %[[READY:.*]] = load i8, ptr @__arcline_ready
; CHECK-NEXT:    icmp eq i8 %[[READY]], 0
; CHECK-NEXT:    br i1 {{.*}}, label %[[SLOW:.*]], label %[[FAST:.*]], !prof
; CHECK:       [[FAST]]:
; CHECK:         call ptr @llvm.threadlocal.address.p0(ptr @__arcline_bias)
; CHECK:         %arcline.bias = phi i64
; CHECK-NEXT:    %arcline.counters = getelementptr i8, ptr @__arcline_counters, i64 %arcline.bias
; CHECK:         add i64 {{.*}}, 1
; CHECK-NEXT:    store i64 {{.*}}, ptr
; CHECK:       [[SLOW]]:
; CHECK-NEXT:    call i64 @__arcline_bias_slow()
  %y = add i32 %x, 1
  ret i32 %y
}
; CHECK-NOT: call void @llvm.pseudoprobe
