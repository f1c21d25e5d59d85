extern "C" int doubled(int x) { return 2 * x; }
