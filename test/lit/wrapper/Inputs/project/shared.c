int shared(int x) { return x * 2; }
