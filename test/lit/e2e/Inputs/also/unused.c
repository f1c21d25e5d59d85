static int only(int x) { return x + 1; }
int shared_unused(int x); int main(void) { return only(shared_unused(9)); }
