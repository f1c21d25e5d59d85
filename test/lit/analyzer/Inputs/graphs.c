// Functions of which graphs-data.c has flow graphs. Never run: the counts come
// from graphs.gmon.txt.
#define EVEN __attribute__((aligned(16)))

EVEN int rare(int x) { return x / 2; }

EVEN int walk(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == 7)
      sum += rare(i); else sum++;
  }
	return sum; // behind a tab; and a control character: 
}

EVEN int unused(int x) {
  return x;
}

int main(void) { return walk(unused(0)); }
