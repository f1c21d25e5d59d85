static int third(int x) { return x ? x : 1; }
