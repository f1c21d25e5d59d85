; An inline function's counters and record are in a group of their own, named by
; the graph too: code inlined elsewhere refers to them where its own group is
; not, and a different graph must not share them. Block addresses go with the
; code's group.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

$inlined = comdat any

; CHECK-DAG: $inlined = comdat any
; CHECK-DAG: $inlined.[[ID:[0-9a-f]+]] = comdat any
; CHECK-DAG: @__arcline_counters.inlined.[[ID]] = linkonce_odr hidden global {{.*}} section "__arcline_cnts", comdat($inlined.[[ID]])
; CHECK-DAG: @__arcline_func.inlined.[[ID]] = linkonce_odr hidden constant {{.*}} section "__arcline_func", comdat($inlined.[[ID]])
; CHECK-DAG: @__arcline_addresses = private constant {{.*}} section "__arcline_addr", comdat($inlined), align 8, !associated

define linkonce_odr i32 @inlined(i32 %x) comdat {
  %y = add i32 %x, 1
  ret i32 %y
}
