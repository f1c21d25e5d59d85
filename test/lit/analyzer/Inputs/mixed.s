 .text
 .globl asmfun
 .type asmfun,@function
asmfun:
 nop
 nop
 ret
 .size asmfun,.-asmfun
