#!/bin/sh
# build.sh WAY COMPILER [OPTION]...: build prog from modules, of which each
# interface is compiled in one step, or by its .pcm.
set -e
way=$1
shift
set -- "$@" -std=c++20 -fprebuilt-module-path=.
interface() { # source pcm
  source=$1 pcm=$2
  shift 2
  case $way in
  once)
    "$@" -fmodule-output="$pcm" -c "$source" -o "$pcm.o"
    ;;
  twice)
    "$@" --precompile "$source" -o "$pcm"
    "$@" -c "$pcm" -o "$pcm.o"
    ;;
  esac
}
interface parts.cppm shape-parts.pcm "$@"
interface shape.cppm shape.pcm "$@"
"$@" -fmodule-file=shape=shape.pcm -c implementation.cpp -o implementation.o
"$@" -c main.cpp -o main.o
"$@" ./*.o -o prog
