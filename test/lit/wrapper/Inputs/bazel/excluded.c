int excluded(int n) { return n > 2 ? n + 1 : n; }
