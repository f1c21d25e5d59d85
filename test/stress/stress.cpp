// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with all difficult cases for a profiler at once, which keeps an
// account of its calls: threads that end in every way, signals at 10 kHz whose
// handlers call, nest and jump, exceptions, fork(), vfork(), posix_spawn(),
// libraries that are loaded and unloaded, dumps. It runs in rounds. At the end
// of each, when no thread calls, it writes a profile, NAME.N.gmon, and its
// account, NAME.N.truth, and resets. Children write PID.gmon and PID.truth.
//
//   stress NAME SECONDS SEED LOST
//
// LOST  calls that a jump out of counted code may lose: 1; or as many as the
//       longest loop has, MaxLoop, if counts may be kept in registers
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"
#include "stress.h"

namespace {

enum {
  NumCallers = 4,
  MaxLoop = 1000, // calls
  RoundMs = 400,
  HandlerUs = 100, // between signals
};

struct Random {
  unsigned long State;
  NOT_COUNTED explicit Random(unsigned long Seed) : State(Seed * 2 + 1) {}
  // Source: Steele and Vigna's multipliers for 64-bit congruential generators.
  NOT_COUNTED unsigned below(unsigned N) {
    State = State * 0xd1342543de82ef95 + 1;
    return static_cast<unsigned>(State >> 33) % N;
  }
};

struct Caller {
  pthread_t Thread;
  sigjmp_buf Back;
  volatile sig_atomic_t CanJump;
  unsigned long Seed;
};

bool ShouldStop;
unsigned long NumTorn; // jumps and cancellations anywhere
unsigned long NumLost; // calls whose count each of them may lose
Caller Callers[NumCallers];
__thread Caller *Self;
__thread volatile sig_atomic_t Depth;
pthread_key_t Key;
/* A child could not exit() if another thread was inside of dlopen(). */
pthread_mutex_t Loading = PTHREAD_MUTEX_INITIALIZER;
const char *Name;
unsigned NumRounds;
unsigned NumChildren;

} // namespace

extern "C" {
unsigned long stress_calls[N_COUNTED], stress_lines[N_COUNTED];
}

STRESS_COUNTED(direct, DIRECT)
STRESS_COUNTED(indirect_0, INDIRECT_0)
STRESS_COUNTED(indirect_1, INDIRECT_1)
STRESS_COUNTED(indirect_2, INDIRECT_2)
STRESS_COUNTED(indirect_3, INDIRECT_3)
STRESS_COUNTED(in_handler, IN_HANDLER)
STRESS_COUNTED(at_end, AT_END)

// In pairs, since profiles list a function's calls of itself apart.
extern "C" NEVER_INLINED void recursive_0(int X);
extern "C" NEVER_INLINED void throws_0(int X);

extern "C" NEVER_INLINED void recursive_1(int X) {
  account(RECURSIVE_1, X);
  recursive_0(X - 1);
  __asm__ volatile(""); // no jump in place of the call
}

void recursive_0(int X) {
  account(RECURSIVE_0, X);
  if (X > 0)
    recursive_1(X - 1);
  __asm__ volatile("");
}

extern "C" NEVER_INLINED void throws_1(int X) {
  account(THROWS_1, X);
  throws_0(X - 1);
  __asm__ volatile("");
}

void throws_0(int X) {
  account(THROWS_0, X);
  if (X <= 0)
    throw X;
  throws_1(X - 1);
  __asm__ volatile("");
}

static bool isStopped() {
  return __atomic_load_n(&ShouldStop, __ATOMIC_RELAXED);
}

// --- Work of callers ---

static void callDirectly(Random &R) {
  for (int I = static_cast<int>(R.below(MaxLoop)); I >= 0; I--)
    direct(I);
}

static void callIndirectly(Random &R) {
  static void (*volatile const Callees[])(int) = {indirect_0, indirect_1,
                                                  indirect_2, indirect_3};
  const unsigned First = R.below(4);

  for (int I = static_cast<int>(R.below(MaxLoop)); I >= 0; I--)
    Callees[(First + (I % 16 == 0)) % 4](I);
}

static void callDeeply(Random &R) {
  recursive_0(static_cast<int>(R.below(100)));
}

static void throwUp(Random &R) {
  try {
    throws_0(static_cast<int>(R.below(10)));
  } catch (int) {
    direct(1);
  }
}

static void callWithoutThrowing(Random &R) {
  switch (R.below(4)) {
  case 0:
    return callDeeply(R);
  case 1:
    return callIndirectly(R);
  default:
    return callDirectly(R);
  }
}

static void call(Random &R) {
  if (R.below(8) == 0)
    throwUp(R);
  else
    callWithoutThrowing(R);
}

// Calls until the end of the round; signals make it start over.
static void *work(void *Argument) {
  auto *Mine = static_cast<Caller *>(Argument);
  Random R(Mine->Seed);

  Self = Mine;
  pthread_setspecific(Key, Mine);
  sigsetjmp(Mine->Back, 1);
  Depth = 0;
  while (!isStopped()) {
    // An exception may not be left in the middle: it would never be freed.
    if (R.below(4) == 0) {
      call(R);
      continue;
    }
    Mine->CanJump = 1;
    for (int I = 0; I < 10; I++) {
      callDirectly(R);
      callIndirectly(R);
      callDeeply(R);
    }
    Mine->CanJump = 0;
  }
  return nullptr;
}

// --- Signals ---

static void onAlarm(int Number) {
  const int Saved = Depth;

  for (int I = 0; I < 3; I++)
    in_handler(I);
  if (Saved < 3) {
    Depth = Saved + 1;
    if (Number == SIGALRM && stress_calls[IN_HANDLER] % 7 == 0)
      raise(SIGVTALRM);
    Depth = Saved;
  }
}

static void onJump(int) {
  in_handler(0);
  if (!Self || !Self->CanJump)
    return;
  Self->CanJump = 0;
  ADD_1(NumTorn);
  siglongjmp(Self->Back, 1);
}

static void *sendJumps(void *Argument) {
  Random R(*static_cast<unsigned long *>(Argument));

  while (!isStopped()) {
    usleep(R.below(1000));
    pthread_kill(Callers[R.below(NumCallers)].Thread, SIGUSR1);
  }
  return nullptr;
}

// --- Threads ---

static void onKey(void *) {
  for (int I = 0; I < 10; I++)
    at_end(I);
}

static void onCleanup(void *) { at_end(0); }

struct Local {
  bool IsUsed = false;
  ~Local() {
    if (IsUsed)
      at_end(1);
  }
};

static thread_local Local ThreadLocal;

static void *returns(void *Argument) {
  Random R(reinterpret_cast<unsigned long>(Argument));

  ThreadLocal.IsUsed = true;
  pthread_setspecific(Key, &Key);
  call(R);
  return nullptr;
}

static void *leaves(void *Argument) {
  Random R(reinterpret_cast<unsigned long>(Argument));

  pthread_cleanup_push(onCleanup, nullptr);
  callDirectly(R);
  pthread_exit(nullptr);
  pthread_cleanup_pop(0);
  return nullptr;
}

static void *waits(void *Argument) {
  Random R(reinterpret_cast<unsigned long>(Argument));

  pthread_cleanup_push(onCleanup, nullptr);
  callDirectly(R);
  for (;;)
    pause();
  pthread_cleanup_pop(0);
  return nullptr;
}

// Cancelled anywhere, also before it has begun.
static void *runsOn(void *) {
  int Old;

  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &Old);
  for (int I = 0;; I++)
    direct(I);
  return nullptr;
}

static void *startThreads(void *Argument) {
  static void *(*const Ways[])(void *) = {returns, leaves, waits, runsOn};
  Random R(*static_cast<unsigned long *>(Argument));

  while (!isStopped()) {
    pthread_t Threads[4];
    unsigned Way[4];
    for (unsigned I = 0; I < 4; I++) {
      Way[I] = R.below(4);
      if (pthread_create(&Threads[I], nullptr, Ways[Way[I]],
                         reinterpret_cast<void *>(R.State)))
        abort();
    }
    for (unsigned I = 0; I < 4; I++) {
      if (Way[I] >= 2) {
        ADD_1(NumTorn);
        pthread_cancel(Threads[I]);
      }
      pthread_join(Threads[I], nullptr);
    }
  }
  return nullptr;
}

// --- Processes ---

NOT_COUNTED static FILE *openAccount(const char *Stem, const char *Suffix) {
  char Path[100];

  snprintf(Path, sizeof(Path), "%s.truth%s", Stem, Suffix);
  FILE *File = fopen(Path, "w");
  if (!File)
    abort();
  return File;
}

NOT_COUNTED static void tellOf(FILE *File, const char *What, unsigned long N) {
  const unsigned long Lost = NumTorn * NumLost;

  fprintf(File, "%s %lu %lu\n", What, N > Lost ? N - Lost : 0, N + NumTorn);
}

NOT_COUNTED static void tell(const char *Stem) {
  static const char *const Calls[] = {
      "calls direct",      "calls indirect_0", "calls indirect_1",
      "calls indirect_2",  "calls indirect_3", "calls recursive_0",
      "calls recursive_1", "calls throws_0",   "calls throws_1",
      "calls in_handler",  "calls at_end"};
  char Line[40];
  unsigned long NumLines = 0;

  FILE *File = openAccount(Stem, "");
  for (int I = 0; I < LIBRARY_LEAF; I++) {
    tellOf(File, Calls[I], stress_calls[I]);
    NumLines += stress_lines[I];
  }
  snprintf(Line, sizeof(Line), "line %d", STRESS_LINE);
  tellOf(File, Line, NumLines);
  fclose(File);
#ifndef WITHOUT_LIBRARY
  File = openAccount(Stem, ".libstress.so");
  tellOf(File, "calls library_leaf", stress_calls[LIBRARY_LEAF]);
  tellOf(File, Line, stress_lines[LIBRARY_LEAF]);
  fclose(File);
#endif
}

NOT_COUNTED static void forget() {
  memset(stress_calls, 0, sizeof(stress_calls));
  memset(stress_lines, 0, sizeof(stress_lines));
  NumTorn = 0;
}

static void *callABit(void *Argument) {
  Random R(reinterpret_cast<unsigned long>(Argument));

  callWithoutThrowing(R);
  return nullptr;
}

[[noreturn]] static void beChild(Random &R) {
  char Stem[40];
  pthread_t Thread;

  // No other thread is left to stop; there are no timers. An exception could
  // wait for the unwinder's lock, which a thread may have locked at the fork().
  for (unsigned I = R.below(20); I; I--)
    callWithoutThrowing(R);
  if (R.below(2)) {
    pthread_create(&Thread, nullptr, callABit,
                   reinterpret_cast<void *>(R.State));
    pthread_join(Thread, nullptr);
  }
  snprintf(Stem, sizeof(Stem), "%d", static_cast<int>(getpid()));
  tell(Stem);
#ifdef WITHOUT_LIBRARY
  // Destructors of a static program need the unwinder's lock.
  if (arcline_dump())
    abort();
  _exit(0);
#endif
  exit(0);
}

NOT_COUNTED static pid_t forkUnseen() {
  sigset_t All, Old;

  // A handler in between would count before the account begins.
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  pthread_mutex_lock(&Loading);
  const pid_t Child = fork();
  if (Child == 0)
    forget();
  pthread_mutex_unlock(&Loading);
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  return Child;
}

static void *startProcesses(void *Argument) {
  static char True[] = "/bin/true";
  char *Arguments[] = {True, nullptr};
  Random R(*static_cast<unsigned long *>(Argument));

  while (!isStopped()) {
    int Status = 0;
    pid_t Child = 0;
    switch (R.below(3)) {
    case 0:
      Child = forkUnseen();
      if (Child == 0)
        beChild(R);
      ADD_1(NumChildren);
      break;
    case 1:
      Child = vfork();
      if (Child == 0) {
        execv(True, Arguments);
        _exit(1);
      }
      break;
    default:
      if (posix_spawn(&Child, True, nullptr, nullptr, Arguments, environ))
        abort();
    }
    if (Child < 0)
      continue;
    while (waitpid(Child, &Status, 0) != Child)
      continue;
    if (Status) {
      fprintf(stderr, "stress: a child ended with status %#x\n", Status);
      abort();
    }
    usleep(R.below(5000));
  }
  return nullptr;
}

// --- Libraries, dumps ---

static void *loadLibraries(void *Argument) {
  Random R(*static_cast<unsigned long *>(Argument));

#ifndef WITHOUT_LIBRARY
  while (!isStopped()) {
    pthread_mutex_lock(&Loading);
    void *Library = dlopen("./libstress.so", RTLD_NOW);
    pthread_mutex_unlock(&Loading);
    if (!Library)
      abort();
    void (*Entry)(int);
    *reinterpret_cast<void **>(&Entry) = dlsym(Library, "library_entry");
    for (unsigned I = R.below(20); I; I--)
      Entry(100);
    pthread_mutex_lock(&Loading);
    dlclose(Library);
    pthread_mutex_unlock(&Loading);
    usleep(R.below(2000));
  }
#endif
  return nullptr;
}

static void *dump(void *Argument) {
  Random R(*static_cast<unsigned long *>(Argument));

  while (!isStopped()) {
    usleep(R.below(20000));
    if (R.below(3) == 0)
      arcline_stop();
    arcline_start();
    if (arcline_dump()) {
      fputs("stress: a dump failed\n", stderr);
      abort();
    }
  }
  return nullptr;
}

// --- Rounds ---

NOT_COUNTED static void keepProfile(const char *Suffix) {
  char From[100], To[100];

  snprintf(From, sizeof(From), "%d.gmon%s", static_cast<int>(getpid()), Suffix);
  snprintf(To, sizeof(To), "%s.%u.gmon%s", Name, NumRounds, Suffix);
  if (rename(From, To) && !*Suffix)
    abort();
}

static void *resetOnce(void *) {
  arcline_reset();
  return nullptr;
}

/// No thread calls: the profile must equal the account.
NOT_COUNTED static void endRound() {
  char Stem[100];
  pthread_t Threads[4];

  if (arcline_dump())
    abort();
  snprintf(Stem, sizeof(Stem), "%s.%u", Name, NumRounds);
  tell(Stem);
  keepProfile("");
  keepProfile(".libstress.so");
  // Several at once are as good as one.
  for (pthread_t &Thread : Threads)
    pthread_create(&Thread, nullptr, resetOnce, nullptr);
  for (pthread_t Thread : Threads)
    pthread_join(Thread, nullptr);
  forget();
}

static void setTimers(long Us) {
  const itimerval Every = {{0, Us}, {0, Us}};

  setitimer(ITIMER_REAL, &Every, nullptr);
}

static void runRound(Random &R) {
  static void *(*const Others[])(void *) = {sendJumps,     startThreads,
                                            startThreads,  startProcesses,
                                            loadLibraries, dump};
  enum { NumOthers = sizeof(Others) / sizeof(*Others) };
  pthread_t Threads[NumOthers];
  unsigned long Seeds[NumOthers];

  __atomic_store_n(&ShouldStop, false, __ATOMIC_RELAXED);
  for (Caller &C : Callers) {
    C.Seed = R.below(1u << 30);
    C.CanJump = 0;
    if (pthread_create(&C.Thread, nullptr, work, &C))
      abort();
  }
  setTimers(HandlerUs);
  for (unsigned I = 0; I < NumOthers; I++) {
    Seeds[I] = R.below(1u << 30);
    if (pthread_create(&Threads[I], nullptr, Others[I], &Seeds[I]))
      abort();
  }
  timespec Rest = {0, RoundMs * 1000000L};
  while (nanosleep(&Rest, &Rest))
    continue;
  __atomic_store_n(&ShouldStop, true, __ATOMIC_RELAXED);
  for (pthread_t Thread : Threads)
    pthread_join(Thread, nullptr);
  for (const Caller &C : Callers)
    pthread_join(C.Thread, nullptr);
  setTimers(0);
  endRound();
  NumRounds++;
}

int main(int argc, char **argv) {
  struct sigaction Action = {};

  if (argc != 5)
    return 2;
  Name = argv[1];
  NumLost = strtoul(argv[4], nullptr, 10);
  const time_t End = time(nullptr) + atol(argv[2]);
  Random R(strtoul(argv[3], nullptr, 10));
  pthread_key_create(&Key, onKey);
  Action.sa_flags = SA_RESTART;
  Action.sa_handler = onAlarm;
  sigaction(SIGALRM, &Action, nullptr);
  sigaction(SIGVTALRM, &Action, nullptr);
  Action.sa_handler = onJump;
  sigaction(SIGUSR1, &Action, nullptr);
  do
    runRound(R);
  while (time(nullptr) < End);
  printf("%u rounds, %u children\n", NumRounds, NumChildren);
  return 0;
}
