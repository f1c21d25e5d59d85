int shared_used(int x) { return x > 2 ? x * 2 : x; }
int shared_unused(int x) { return x * 3; }
