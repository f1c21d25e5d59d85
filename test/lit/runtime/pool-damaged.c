/* Pools that are damaged, of another version, or of another image: commands name
   the file and the reason, and processes leave it alone. Damage of the head that
   does not count does no harm, as a process that was killed leaves it. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m:hz=0
// RUN: ./prog && ./prog && ls pool/prog.???????????????? > name
// RUN: cp $(cat name) good && size=$(stat -c %%s good) && echo $size > size
//
// RUN: echo "./prog && test -e \$(cat name).[0-9]* && rm \$(cat name).[0-9]* && \
// RUN:   cmp \$(cat name) bad && not %arcline gprof -b -p prog bad" > check
// RUN: for n in 8 700 8192 16384 20480 24575 $(expr $(cat size) - 1); do \
// RUN:   head -c $n good > bad && cp bad $(cat name) && sh -e check 2>&1 \
// RUN:     | grep -E 'truncated|corrupt' || exit 1; \
// RUN: done
//
// RUN: echo "cp good bad && printf \$2 \
// RUN:   | dd of=bad bs=1 seek=\$1 conv=notrunc 2>/dev/null && cp bad \$(cat name) && \
// RUN:   sh -e check 2>&1" > change
// RUN: sh -e change 16 '\003' | grep -E ': pool has version 3, this arcline reads version 2'
// RUN: sh -e change 20 '\001' | grep 'another byte order'
// RUN: sh -e change 8 arclines | grep 'build ID .* differs'
// RUN: sh -e change 0 x | grep -E 'bad: '
//
// The first process adds its counts, and then notes that the side file has its
// lines. So after two processes the first head counts no more. Without it, all
// counts are there; without the second one, only those of the first process.
// RUN: for head in 16384 20480; do \
// RUN:   cp good bad && printf x | dd of=bad bs=1 seek=$head conv=notrunc 2>/dev/null && \
// RUN:   %arcline gprof -b -p prog bad | grep ' counted$' || exit 1; \
// RUN: done > found
// RUN: awk '{ print $4 }' found | xargs echo | grep -x '6 3'
// RUN: printf x | dd of=bad bs=1 seek=16384 conv=notrunc 2>/dev/null
// RUN: cp bad $(cat name) && sh -e check 2>&1 | grep 'no valid header'
//
// Another image, also by force.
// RUN: %arcline-cc -O1 -g -DMORE %s -o other
// RUN: not %arcline gprof -b -p other good 2>&1 | grep 'build ID .* differs'
// RUN: not %arcline gprof --force -b -p other good 2>&1 \
// RUN:   | grep 'differ from those of the image that ran'
//
// The image has moved.
// RUN: mkdir moved && cp good $(cat name) && mv prog moved/
// RUN: not %arcline merge --strict -o sum pool 2> errors
// RUN: grep -E 'prog\..*; use --images=FOLDER to find it elsewhere; ' errors
// RUN: %arcline merge --images=moved -o sum pool && %arcline gprof -b -p moved/prog sum \
// RUN:   | grep -E ' 6 .* counted$'
// RUN: %arcline export --images=moved --format=lcov pool | grep -x FNDA:6,counted
__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }

int main(void) {
#ifdef MORE
  for (volatile int i = 0; i < 4; i++)
    counted();
#endif
  for (int i = 0; i < 3; i++)
    counted();
  return 0;
}
