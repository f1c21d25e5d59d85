; Another object owns these functions. Copies of them are counted, in a record that
; the linker takes one of; of what no function has a copy nothing is left.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,always-inline,arcline-place,verify -S %s | FileCheck %s

; CHECK-NOT: lonely.
; CHECK: "{{.*}}__arcline_line,\22G\22,%progbits,\22__arcline_func.[[ID:[0-9a-f]+]]\22,comdat"
; CHECK-NOT: lonely.
; CHECK: $__arcline_func.[[ID]] = comdat any
; CHECK-NOT: lonely.
; CHECK: @__arcline_func.[[ID]] = linkonce_odr hidden local_unnamed_addr constant {{.*}} section "__arcline_func", comdat{{$|,}}
; CHECK-NOT: lonely.
; CHECK: @llvm.used = {{.*}} @__arcline_func.[[ID]]
; CHECK: @__arcline_unit = {{.*}} @__arcline_func.[[ID]]
; CHECK-NOT: lonely.
; CHECK: declare i32 @lonely(i32)
; CHECK: declare i32 @never_copied(i32)

define available_externally i32 @copied(i32 %n) alwaysinline {
  %m = add i32 %n, 1
  ret i32 %m
}

define available_externally i32 @lonely(i32 %n) {
  %m = add i32 %n, 2
  ret i32 %m
}

define available_externally i32 @never_copied(i32 %n) noinline {
  %m = add i32 %n, 3
  ret i32 %m
}

; CHECK-LABEL: define i32 @caller(
; CHECK: add i64
; CHECK: ret i32
define i32 @caller(i32 %n) {
  %m = call i32 @copied(i32 %n)
  %o = call i32 @never_copied(i32 %m)
  ret i32 %o
}
