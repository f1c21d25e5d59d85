#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same-as-gprof.sh GPROF ARCLINE IMAGE PROFILE OPTION...
#
# Run both analyzers with the options; fail if their output differs. GNU gprof does not
# get --gnu-bugs.
set -e
gprof=$1 arcline=$2 image=$3 profile=$4
shift 4
gnu_options=
for option; do
  [ "$option" = --gnu-bugs ] || gnu_options="$gnu_options $option"
done
# shellcheck disable=SC2086 # options of tests contain no blanks
"$gprof" -b $gnu_options "$image" "$profile" >gprof.out 2>gprof.err
"$arcline" gprof -b "$@" "$image" "$profile" >arcline.out 2>arcline.err
cmp gprof.out arcline.out || { diff gprof.out arcline.out | head -20; exit 1; }
test -s arcline.out
