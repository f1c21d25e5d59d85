; ARCLINE_PASS_OPTIONS chooses the jobs; a word it does not know is an error that
; lists those it knows, and leaves the module as it was.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=DEFAULT
; RUN: env ARCLINE_PASS_OPTIONS=calls=on:blocks=on:promote=on opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=DEFAULT
; RUN: env ARCLINE_PASS_OPTIONS=calls=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=BLOCKS
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=CALLS
; RUN: env ARCLINE_PASS_OPTIONS=calls=off:blocks=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=NONE
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount::blocks=on opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefixes=BOTH
; RUN: env ARCLINE_PASS_OPTIONS=calls=off:calls=on opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=DEFAULT
; RUN: env ARCLINE_PASS_OPTIONS=calls=maybe not opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
; RUN: env ARCLINE_PASS_OPTIONS=calls=maybe not %clang -x ir -fpass-plugin=%plugin -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=error:

; The record's flags are its last field: ARCLINE_FUNC_ARCS is 4.
; DEFAULT-DAG: @__arcline_funcs = {{.*}}, i16 4 }
; DEFAULT-DAG: @__arcline_site.table =
; DEFAULT-NOT: __arcline_mcount
; BLOCKS-DAG: @__arcline_funcs = {{.*}}, i16 0 }
; BLOCKS-DAG: @__arcline_cells =
; BLOCKS-NOT: __arcline_site
; BLOCKS-NOT: __arcline_mcount
; CALLS-NOT: __arcline_cells
; CALLS: call void @__arcline_mcount(
; CALLS-NOT: __arcline_cells
; NONE-NOT: __arcline
; BOTH-DAG: @__arcline_funcs = {{.*}}, i16 0 }
; BOTH-DAG: @__arcline_cells =
; BOTH-NOT: __arcline_site
; BOTH: call void @__arcline_mcount(
; ERROR: error: arcline: ARCLINE_PASS_OPTIONS: unknown setting `calls=maybe'; use calls=on, calls=mcount, calls=off, blocks=on, blocks=off, promote=on, promote=off

define void @f(ptr %g) {
  call void %g()
  ret void
}
