/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for TinyScheme: a script of lists, trees, vectors,
 * strings, closures, macros and continuations.
 *
 *   tinyscheme_workload [SCALE]    SCALE rounds of the script
 */
#include <stdio.h>
#include <stdlib.h>

#include "scheme.h"

static const char script[] =
    "(define check 0)\n"
    "(define seed 20261125)\n"
    "(define (add n)\n"
    "  (set! check (modulo (+ (* check 31) n) 2147483647)))\n"
    "(define (random n)\n"
    "  (set! seed (modulo (* seed 16807) 2147483647))\n"
    "  (modulo seed n))\n"
    "(define (times n f)\n"
    "  (let loop ((i 0) (all '()))\n"
    "    (if (= i n) all (loop (+ i 1) (cons (f i) all)))))\n"
    "(define (insert tree key)\n"
    "  (cond ((null? tree) (list key '() '()))\n"
    "        ((< key (car tree))\n"
    "         (list (car tree) (insert (cadr tree) key) (caddr tree)))\n"
    "        (else\n"
    "         (list (car tree) (cadr tree) (insert (caddr tree) key)))))\n"
    "(define (walk tree visit)\n"
    "  (if (pair? tree)\n"
    "      (begin (walk (cadr tree) visit)\n"
    "             (visit (car tree))\n"
    "             (walk (caddr tree) visit))))\n"
    "(define (merge a b)\n"
    "  (cond ((null? a) b)\n"
    "        ((null? b) a)\n"
    "        ((string<? (car b) (car a)) (cons (car b) (merge a (cdr b))))\n"
    "        (else (cons (car a) (merge (cdr a) b)))))\n"
    "(define (sorted all)\n"
    "  (if (or (null? all) (null? (cdr all)))\n"
    "      all\n"
    "      (let split ((rest all) (a '()) (b '()))\n"
    "        (if (null? rest)\n"
    "            (merge (sorted a) (sorted b))\n"
    "            (split (cdr rest) (cons (car rest) b) a)))))\n"
    "(define (sieve n)\n"
    "  (let ((bits (make-vector n #f)))\n"
    "    (do ((i 2 (+ i 1)) (count 0 (if (vector-ref bits i) count\n"
    "                                    (+ count 1))))\n"
    "        ((= i n) count)\n"
    "      (if (not (vector-ref bits i))\n"
    "          (do ((j (* i 2) (+ j i))) ((>= j n))\n"
    "            (vector-set! bits j #t))))))\n"
    "(define (derive e)\n"
    "  (cond ((number? e) 0)\n"
    "        ((symbol? e) (if (eq? e 'x) 1 0))\n"
    "        ((eq? (car e) '+) `(+ ,@(map derive (cdr e))))\n"
    "        (else (let ((a (cadr e)) (b (caddr e)))\n"
    "                `(+ (* ,(derive a) ,b) (* ,a ,(derive b)))))))\n"
    "(define (find-first good? all)\n"
    "  (call-with-current-continuation\n"
    "    (lambda (return)\n"
    "      (for-each (lambda (i) (if (good? i) (return i))) all)\n"
    "      0)))\n"
    "(define (count-characters text)\n"
    "  (let ((port (open-input-string text)))\n"
    "    (let loop ((c (read-char port)) (n 0))\n"
    "      (cond ((eof-object? c) n)\n"
    "            ((char-numeric? c) (loop (read-char port) (+ n 1)))\n"
    "            (else (loop (read-char port) n))))))\n"
    "(macro (unless-zero form)\n"
    "  `(if (not (zero? ,(cadr form))) ,(caddr form)))\n"
    "(define (round-of-all)\n"
    "  (let ((tree '()))\n"
    "    (for-each (lambda (key) (set! tree (insert tree key)))\n"
    "              (times 60 (lambda (i) (random 1000))))\n"
    "    (walk tree add))\n"
    "  (add (sieve 100))\n"
    "  (let ((words (sorted (times 40 (lambda (i)\n"
    "                 (string-append \"w\" (number->string (random 99))))))))\n"
    "    (add (string-length (apply string-append words)))\n"
    "    (add (count-characters (apply string-append words)))\n"
    "    (for-each (lambda (w) (add (string->number (substring w 1\n"
    "                                 (string-length w)))))\n"
    "              words)\n"
    "    (let ((found (assoc (car words) (map (lambda (w) (cons w 7))\n"
    "                                         (reverse words)))))\n"
    "      (add (cdr found))))\n"
    "  (add (length (derive '(* (+ x 3) (* x (+ x y 5))))))\n"
    "  (add (eval `(let ((x ,(random 9)) (y 2))\n"
    "                ,(derive '(* (+ x 3) (* x (+ x y 5)))))))\n"
    "  (add (find-first (lambda (i) (> i 90))\n"
    "                   (times 40 (lambda (i) (random 100)))))\n"
    "  (let ((n (random 3)))\n"
    "    (unless-zero n (add n)))\n"
    "  (add (inexact->exact (floor (* 1000 (sqrt (+ 1.5 (random 50))))))))\n";

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  scheme *const interpreter = scheme_init_new();
  FILE *const init = fopen(INIT_FILE, "r");

  if (!interpreter || !init)
    return 1;
  scheme_set_output_port_file(interpreter, stdout);
  scheme_load_file(interpreter, init);
  fclose(init);
  scheme_load_string(interpreter, script);
  for (int i = 0; i < scale; i++)
    scheme_load_string(interpreter, "(round-of-all)");
  scheme_load_string(interpreter,
                     "(display \"checksum \") (display check) (newline)");
  scheme_deinit(interpreter);
  free(interpreter);
  return 0;
}
