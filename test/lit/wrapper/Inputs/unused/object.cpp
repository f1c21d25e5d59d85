// The functions that other objects lack, in C++ and in C.
int in_no_object(int x) { return x; }
extern "C" int in_no_c_object(int x) { return x; }
