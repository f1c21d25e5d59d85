int shared_used(int x); int main(void) { return shared_used(1) != 1; }
