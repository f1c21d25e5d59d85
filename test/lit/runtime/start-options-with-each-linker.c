// Options that are built in are found with each linker, and without them there
// is no message: with gold, undefined hidden symbols are at the beginning of
// the object, not at 0.
// RUN: for linker in bfd gold %if lld %{lld%} %if mold %{mold%}; do \
// RUN:   for mode in -pie -no-pie -static; do \
// RUN:     %arcline-cc -fuse-ld=$linker $mode %s -o plain || exit 1; \
// RUN:     ./plain > said 2>&1 && count 0 < said || exit 1; \
// RUN:     rm -rf suite; \
// RUN:     %arcline-cc --arcline-suite=suite -fuse-ld=$linker $mode %s -o built || exit 1; \
// RUN:     ./built > said 2>&1 && count 0 < said || exit 1; \
// RUN:     ls suite | count 2 || exit 1; \
// RUN:   done; \
// RUN: done
int main(void) { return 0; }
