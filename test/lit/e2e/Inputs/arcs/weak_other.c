// The second unit of weak_main.c.
int overridden(int x) { return -x; }
