; A function with one path has one cell, on its entry. It loads the bias, and asks
; the runtime if there is none.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=MCOUNT

; CHECK-NOT: __arcline_counters
; CHECK: @__arcline_cells = private local_unnamed_addr global [1 x i64] zeroinitializer, section "__arcline_cnts", align 8, !associated ![[F:[0-9]+]]
; CHECK: @__arcline_bias = external hidden thread_local(initialexec) global i64
; CHECK: @__arcline_plan = private local_unnamed_addr global <{ [4 x i8], {{.*}} c"\01\01\00\00", {{.*}} section "__arcline_plan", align 1, !associated ![[F]]
; CHECK: @__arcline_body.table = private local_unnamed_addr constant [1 x { i32, i32, i32, i32, i32, i32 }] {{.*}} section "__arcline_body", align 4, !associated ![[F]]
; CHECK: @__arcline_funcs = private local_unnamed_addr constant {{.*}} section "__arcline_func", align 8
; CHECK: @llvm.used = appending global {{.*}} @__arcline_funcs
; CHECK: @llvm.compiler.used = appending global {{.*}} @__arcline_body.table]

define dso_local i32 @leaf(i32 %x) {
; CHECK-LABEL: define dso_local i32 @leaf(
; CHECK-NEXT:    %[[AT:.*]] = call ptr @llvm.threadlocal.address.p0(ptr @__arcline_bias)
; CHECK-NEXT:    %[[BIAS:.*]] = load i64, ptr %[[AT]]
; CHECK-NEXT:    %[[NONE:.*]] = icmp eq i64 %[[BIAS]], 0
; CHECK-NEXT:    br i1 %[[NONE]], label %[[SLOW:.*]], label %{{.*}}, !prof
; CHECK:         %arcline.bias = phi i64 [ %[[BIAS]], %{{.*}} ], [ %[[ASKED:.*]], %[[SLOW]] ]
; CHECK-NEXT:    %arcline.cells = getelementptr i8, ptr @__arcline_cells, i64 %arcline.bias
; CHECK:         %[[OLD:.*]] = load i64, ptr
; CHECK-NEXT:    %[[NEW:.*]] = add i64 %[[OLD]], 1
; CHECK:         store i64 %[[NEW]], ptr
; CHECK-NOT:     store
; CHECK:       [[SLOW]]:
; CHECK-NEXT:    %[[ASKED]] = call i64 @__arcline_bias_slow()

; MCOUNT-LABEL: define dso_local i32 @leaf(
; MCOUNT-NEXT:   %[[PC:.*]] = call ptr @llvm.returnaddress{{(.p0)?}}(i32 0)
; MCOUNT-NEXT:   call void @__arcline_mcount(ptr %[[PC]], ptr @leaf)
; MCOUNT:        ptr @__arcline_bias)
  %y = add i32 %x, 1
  ret i32 %y
}
; CHECK-NOT: call void @llvm.pseudoprobe
; CHECK: ![[F]] = !{ptr @leaf}
