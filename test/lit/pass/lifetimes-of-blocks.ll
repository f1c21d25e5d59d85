; Variables of blocks live from their declaration to the last instruction of the
; block, if the front end was asked not to say so, in C and C++ only, and not where the
; optimiser has been. One of the function's own lives for all of it.
; RUN: env ARCLINE_PASS_OPTIONS=lifetimes=on opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s
; RUN: sed s/DW_LANG_C11/DW_LANG_C_plus_plus_14/ %s > cxx.ll
; RUN: env ARCLINE_PASS_OPTIONS=lifetimes=on opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S cxx.ll | FileCheck %s
; RUN: sed s/DW_LANG_C11/DW_LANG_Fortran08/ %s > fortran.ll
; RUN: env ARCLINE_PASS_OPTIONS=lifetimes=on opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S fortran.ll | FileCheck %s --check-prefix=NONE
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S %s | FileCheck %s --check-prefix=NONE
; RUN: sed 's/^;OPT //' %s > marked.ll
; RUN: env ARCLINE_PASS_OPTIONS=lifetimes=on opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S marked.ll | FileCheck %s --check-prefix=MARKED
; NONE-NOT: call void @llvm.lifetime
; MARKED:     call void @llvm.lifetime.end
; MARKED-NOT: call void @llvm.lifetime
; CHECK-NOT:   call void @llvm.lifetime
; CHECK:       if.then:
; CHECK:         call void @llvm.lifetime.start{{.*}}ptr %a)
; CHECK:         call void @f(ptr %a)
; CHECK-NEXT:    call void @llvm.lifetime.end{{.*}}ptr %a)
; CHECK-NOT:     call void @llvm.lifetime
; CHECK:       if.else:
; CHECK:         call void @llvm.lifetime.start{{.*}}ptr %b)
; CHECK:         call void @f(ptr %b)
; CHECK-NEXT:    call void @llvm.lifetime.end{{.*}}ptr %b)
; CHECK:       if.end:
; CHECK-NOT:     call void @llvm.lifetime
; CHECK:       passed:
; CHECK-NOT:     call void @llvm.lifetime

define dso_local void @g(i1 %k, i1 %l) !dbg !9 {
entry:
  %whole = alloca [32 x i8]
  %a = alloca [32 x i8]
  %b = alloca [32 x i8]
  %c = alloca [32 x i8]
  call void @llvm.dbg.declare(metadata ptr %whole, metadata !13, metadata !DIExpression()), !dbg !31
  call void @f(ptr %whole), !dbg !31
;OPT call void @llvm.lifetime.end.p0(i64 32, ptr %whole)
  br label %loop, !dbg !31

loop:
  br i1 %k, label %if.then, label %if.else, !dbg !31

if.then:
  call void @llvm.dbg.declare(metadata ptr %a, metadata !15, metadata !DIExpression()), !dbg !35
  call void @f(ptr %a), !dbg !35
  br label %if.end, !dbg !35

if.else:
  call void @llvm.dbg.declare(metadata ptr %b, metadata !25, metadata !DIExpression()), !dbg !38
  call void @f(ptr %b), !dbg !38
  br label %if.end

if.end:
  br i1 %l, label %loop, label %declared, !dbg !31

; A jump led past the declaration.
declared:
  br i1 %k, label %really, label %passed, !dbg !31

really:
  call void @llvm.dbg.declare(metadata ptr %c, metadata !27, metadata !DIExpression()), !dbg !39
  br label %passed, !dbg !39

passed:
  call void @f(ptr %c), !dbg !39
  ret void, !dbg !31
}

declare void @f(ptr)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
;OPT declare void @llvm.lifetime.end.p0(i64, ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "lt.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!9 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 2, type: !10, scopeLine: 2, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DISubroutineType(types: !11)
!11 = !{null}
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !DILocalVariable(name: "whole", scope: !9, file: !1, line: 2, type: !12)
!15 = !DILocalVariable(name: "a", scope: !16, file: !1, line: 5, type: !12)
!16 = distinct !DILexicalBlock(scope: !18, file: !1, line: 4)
!18 = distinct !DILexicalBlock(scope: !9, file: !1, line: 3)
!25 = !DILocalVariable(name: "b", scope: !26, file: !1, line: 8, type: !12)
!26 = distinct !DILexicalBlock(scope: !18, file: !1, line: 7)
!27 = !DILocalVariable(name: "c", scope: !28, file: !1, line: 9, type: !12)
!28 = distinct !DILexicalBlock(scope: !9, file: !1, line: 9)
!31 = !DILocation(line: 2, scope: !9)
!35 = !DILocation(line: 5, scope: !16)
!38 = !DILocation(line: 8, scope: !26)
!39 = !DILocation(line: 9, scope: !28)
