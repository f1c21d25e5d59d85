; ARCLINE_PASS_OPTIONS chooses the jobs; a word it does not know is an error.
; RUN: env ARCLINE_PASS_OPTIONS=calls=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=BLOCKS
; RUN: env ARCLINE_PASS_OPTIONS=blocks=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=CALLS
; RUN: env ARCLINE_PASS_OPTIONS=calls=off:blocks=off opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefix=NONE
; RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=on opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s --check-prefixes=BOTH
; RUN: env ARCLINE_PASS_OPTIONS=calls=maybe not opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

; BLOCKS: __arcline_counters
; BLOCKS-NOT: __arcline_mcount
; CALLS-NOT: __arcline_counters
; CALLS: call void @__arcline_mcount(
; CALLS-NOT: __arcline_counters
; NONE-NOT: __arcline
; BOTH: __arcline_counters
; BOTH: call void @__arcline_mcount(
; ERROR: error: arcline: unknown setting 'calls=maybe' in ARCLINE_PASS_OPTIONS; known are calls=mcount, calls=off, blocks=on, blocks=off

define void @f() {
  ret void
}
