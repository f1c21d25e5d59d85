; An inline function's record is in a group of its own, named by the graph too:
; code inlined elsewhere refers to it where the function's own group is not, and
; a different graph must not share it. What belongs to the code - cells, body,
; call sites, encoded data - goes with the code's group. Lines, which
; are not loaded, go with the record; before link-time optimisation, where groups
; are dropped without their assembly, in no group.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s
; RUN: sed 's/^;LTO //' %s > lto.ll
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S lto.ll | FileCheck %s --check-prefix=LTO
; LTO-NOT: __arcline_line,\22G
; LTO: __arcline_line,\22\22,%progbits
; LTO-NOT: __arcline_line

$inlined = comdat any

; CHECK: ".pushsection __arcline_line,\22\22,%progbits"
; CHECK: ".pushsection __arcline_line,\22G\22,%progbits,\22__arcline_func.[[ID:[0-9a-f]+]]\22,comdat"
; CHECK-DAG: $inlined = comdat any
; CHECK-DAG: $__arcline_func.[[ID]] = comdat any
; CHECK-DAG: @__arcline_graph = private local_unnamed_addr constant {{.*}} section "__arcline_data", comdat($__arcline_func.[[ID]])
; CHECK-DAG: @__arcline_func.[[ID]] = linkonce_odr hidden local_unnamed_addr constant {{.*}} section "__arcline_func", comdat{{$|,}}
; CHECK-DAG: @__arcline_cells = private local_unnamed_addr global {{.*}} section "__arcline_cnts", comdat($inlined), align 8, !associated
; CHECK-DAG: @__arcline_body.table = private local_unnamed_addr constant {{.*}} section "__arcline_body", comdat($inlined), align 4, !associated
; CHECK-DAG: @__arcline_site.table = private local_unnamed_addr global {{.*}} section "__arcline_site", comdat($inlined), align 8, !associated
; CHECK-DAG: @__arcline_plan = private local_unnamed_addr global {{.*}} section "__arcline_plan", comdat($inlined), align 1, !associated

define linkonce_odr i32 @inlined(ptr %f) comdat {
  %y = call i32 %f()
  ret i32 %y
}

;LTO !llvm.module.flags = !{!0}
;LTO !0 = !{i32 1, !"EnableSplitLTOUnit", i32 0}
