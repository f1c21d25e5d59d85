// In C++, too, variables of different blocks share their slots. But a temporary
// whose lifetime a reference extends is destroyed after its block, and may use
// variables of the block.
// RUN: %clang -g -O0 -Xclang -disable-O0-optnone -fno-discard-value-names -S -emit-llvm %s -o made.ll
// RUN: env ARCLINE_PASS_OPTIONS=lifetimes=on opt -load-pass-plugin=%plugin -passes=arcline-count,verify -S made.ll | FileCheck %s

struct File {
  File(const char *);
  ~File();
  int id;
};

struct Guard {
  explicit Guard(char *);
  ~Guard();
  char *watched;
};

void fill(char *, int) noexcept;

// CHECK-LABEL: define {{.*}} @share(
// CHECK:       call void @_Z4fillPci(
// CHECK:       call void @llvm.lifetime.end{{.*}}%first)
// CHECK:       call void @_Z4fillPci(
// CHECK:       call void @llvm.lifetime.end{{.*}}%second)
// CHECK:       ret void
extern "C" void share(int kind) {
  File whole("name");
  switch (kind) {
  case 0: {
    char first[100];
    fill(first, kind);
    break;
  }
  case 1: {
    char second[100];
    fill(second, kind);
    return;
  }
  }
}

// CHECK-LABEL: define {{.*}} @watch(
// CHECK:       call void @llvm.lifetime.start{{.*}}%buffer)
// CHECK-NOT:   call void @llvm.lifetime.end{{.*}}%buffer)
// CHECK:       call void @_ZN5GuardD{{[12]}}Ev(
// CHECK:       call void @llvm.lifetime.end{{.*}}%buffer)
// CHECK:       ret void
extern "C" void watch(int kind) {
  {
    char buffer[100];
    const Guard &guard = Guard(buffer);
    guard.watched[0] = 1;
  }
  char other[100];
  fill(other, kind);
  {
    char inner[100];
    fill(inner, kind);
  }
}
