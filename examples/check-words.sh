#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of words.
set -e
printf 'the cat and the hat' >text
test "$(./words -n 1 text)" = '      2 the'
test "$(./words <text | wc -l)" -eq 4
test "$(printf '' | ./words)" = ''
! ./words missing 2>message
grep -q missing message
echo "words: all tests passed"
