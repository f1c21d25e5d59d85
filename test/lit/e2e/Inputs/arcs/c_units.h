// Declarations that the two units of C share.
typedef int (*operation)(int);

int overridden(int x);
int other(int x);
int other_op(int x);
int other_caller(int n);
int aliased(int x);

static inline int shared_inline(int x) { return x ^ 1; }
