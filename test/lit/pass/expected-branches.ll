; What the source says of branches is known when counters are placed: of two ways
; whose sum is known the one is counted that is said to be rare.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s

declare i64 @llvm.expect.i64(i64, i64)
declare void @tame() nounwind willreturn

define void @rarely(i64 %x, i1 %before) {
; CHECK-LABEL: define void @rarely(
; CHECK:       then:
; CHECK:         atomicrmw nand
; CHECK:       else:
; CHECK-NOT:     atomicrmw nand
; CHECK:       join:
entry:
  br i1 %before, label %one, label %other
one:
  call void @tame()
  br label %next
other:
  call void @tame()
  br label %next
next:
  %expected = call i64 @llvm.expect.i64(i64 %x, i64 0)
  %is = icmp ne i64 %expected, 0
  br i1 %is, label %then, label %else
then:
  call void @tame()
  br label %join
else:
  call void @tame()
  br label %join
join:
  ret void
}

define void @mostly(i64 %x, i1 %before) {
; CHECK-LABEL: define void @mostly(
; CHECK:       then:
; CHECK-NOT:     atomicrmw nand
; CHECK:       else:
; CHECK:         atomicrmw nand
; CHECK:       join:
entry:
  br i1 %before, label %one, label %other
one:
  call void @tame()
  br label %next
other:
  call void @tame()
  br label %next
next:
  %expected = call i64 @llvm.expect.i64(i64 %x, i64 1)
  %is = icmp ne i64 %expected, 0
  br i1 %is, label %then, label %else
then:
  call void @tame()
  br label %join
else:
  call void @tame()
  br label %join
join:
  ret void
}
