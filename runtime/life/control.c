/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Live control. The program need not cooperate: SIGPROF interrupts it anywhere,
   and the handler may do all that a command needs, on a stack of its own.
   Nothing is kept in the process: no thread, no descriptor. */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>

#include "arcline/ctl_format.h"
#include "cpu/cpu.h"
#include "life/control.h"
#include "life/output.h"
#include "sample/sampler.h"
#include "sample/uninstrumented.h"
#include "settings/settings.h"
#include "threads/stack.h"

enum {
  MAX_REMEMBERED = 256, /* commands */
  REMEMBERED_BYTES = MAX_REMEMBERED * sizeof(uint64_t),
  WAIT_NS = 100000, /* for another thread that reads them */
  // Memory of a command: the answer, then the stack.
  COMMAND_BYTES = ARCLINE_CTL_MAX_ANSWER + RT_STACK_BYTES,
};

struct command {
  unsigned code; /* enum arcline_ctl_command */
  uint64_t number;
  struct rt_str answer;
};

static struct {
  struct rt_control_ops ops;
  void *mark;        /* or NULL */
  size_t n_bytes;    /* of it */
  bool is_locked;    /* the members below are read or written */
  uint64_t *numbers; /* MAX_REMEMBERED; NULL: there was no command yet */
  unsigned n_numbers;
} control;

/* Its presence is the mark. */
void rt_control_init(const struct rt_control_ops *ops) {
  const bool is_filtered = rt_sys(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) > 0;

  control.ops = *ops;
  control.n_bytes =
      is_filtered ? ARCLINE_CTL_FILTERED_BYTES : ARCLINE_CTL_MARK_BYTES;
  control.mark = rt_map_closed(control.n_bytes);
}

void rt_control_release(void) {
  rt_unmap(control.mark, control.n_bytes);
  control.mark = NULL;
  rt_unmap(control.numbers, REMEMBERED_BYTES);
  control.numbers = NULL;
}

void rt_control_in_child(void) { control.is_locked = false; }

/* Whether this is the first time that the number is seen. Several threads get
   the same command, and one of them has to run it. Their signals are blocked,
   so that none sleeps while others wait for it. */
static bool is_new(uint64_t number) {
  const struct timespec pause = {.tv_nsec = WAIT_NS};
  bool is_free = false;

  while (!rt_cas(&control.is_locked, &is_free, true)) {
    is_free = false;
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
  }
  if (!control.numbers)
    control.numbers = rt_map(REMEMBERED_BYTES);
  // Without memory, all threads would execute it.
  bool is_known = !control.numbers;
  for (size_t i = 0; !is_known && i < MAX_REMEMBERED; i++)
    is_known = control.numbers[i] == number;
  if (!is_known)
    control.numbers[control.n_numbers++ % MAX_REMEMBERED] = number;
  rt_store(&control.is_locked, false);
  return !is_known;
}

static void add_text(struct rt_str *answer, const char *key,
                     const char *value) {
  rt_str_add(answer, "\n");
  rt_str_add(answer, key);
  rt_str_add(answer, " ");
  rt_str_add(answer, value);
}

static void add_number(struct rt_str *answer, const char *key, uint64_t value) {
  add_text(answer, key, "");
  rt_str_add_number(answer, value);
}

static void add_status(struct rt_str *answer) {
  const struct rt_clock *clock = rt_sampler_clock();
  uint64_t n_objects = 0, n_threads = 0, n_lost = 0;

  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED) {
      n_objects++;
      n_lost += rt_load(it->image.n_lost);
    }
  for (const struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    n_threads += rt_load(&it->owner) != 0;
  add_number(answer, "objects", n_objects);
  add_number(answer, "threads", n_threads);
  add_text(answer, "sampling",
           !clock->has_samples       ? "none"
           : rt_sampler_is_running() ? "on"
                                     : "off");
  add_text(answer, "clock", clock->dimension);
  rt_str_add(answer, " ");
  rt_str_add_number(answer, clock->has_samples ? clock->rate : 0);
  add_number(answer, "samples", rt_uninstrumented_n_samples());
  add_number(answer, "dumps", rt_output_n_dumps());
  add_number(answer, "lost-calls", n_lost);
  add_number(answer, "threads-without-counters", rt_threads_n_sharing());
  add_text(answer, "output", "");
  rt_settings_name(
      rt_settings(),
      &(const struct rt_name){.suffix = "", .kind = "", .is_numbered = true},
      answer);
}

static void execute(void *argument) {
  struct command *command = argument;
  struct rt_str *answer = &command->answer;

  rt_str_add(answer, "ok");
  switch ((enum arcline_ctl_command)command->code) {
  case ARCLINE_CTL_STATUS:
    add_status(answer);
    return;
  case ARCLINE_CTL_DUMP:
  case ARCLINE_CTL_DUMP_AND_RESET:
    if (control.ops.dump(command->code == ARCLINE_CTL_DUMP_AND_RESET, answer))
      rt_copy(answer->text, "no", 2);
    return;
  case ARCLINE_CTL_RESET:
    control.ops.reset();
    return;
  case ARCLINE_CTL_START:
  case ARCLINE_CTL_STOP:
    rt_sampler_want(command->code == ARCLINE_CTL_START);
    return;
  }
  rt_copy(answer->text, "no", 2);
  rt_str_add(answer, "\nunknown command; the runtime is older than arcline");
}

/* Returns a negative errno if there is no such socket. */
static long send_to(long fd, const struct command *command, bool is_abstract) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct rt_str name = {.text = address.sun_path + is_abstract,
                        .room = sizeof(address.sun_path) - 1};

  rt_str_add(&name, is_abstract ? ARCLINE_CTL_SOCKET : ARCLINE_CTL_PATH);
  rt_str_add_number(&name, command->number);
  struct iovec text = {.iov_base = command->answer.text,
                       .iov_len = command->answer.length};
  const struct msghdr message = {
      .msg_name = &address,
      .msg_namelen = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
                                 (size_t)is_abstract + name.length),
      .msg_iov = &text,
      .msg_iovlen = 1};
  return rt_sys(SYS_sendmsg, fd, (long)&message, MSG_DONTWAIT | MSG_NOSIGNAL, 0,
                0);
}

static void send_answer(const struct command *command) {
  const long fd =
      rt_sys(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, 0, 0);

  if (fd < 0)
    return; // the sender reports that there was no answer
  if (send_to(fd, command, true) < 0)
    send_to(fd, command, false);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
}

static void run(struct command *command) {
  static char no_memory[] = "no\nout of memory";
  char *memory = rt_map(COMMAND_BYTES);

  if (memory) {
    command->answer =
        (struct rt_str){.text = memory, .room = ARCLINE_CTL_MAX_ANSWER};
    rt_cpu_call_on_stack(memory + COMMAND_BYTES, execute, command);
  } else {
    command->answer =
        (struct rt_str){.text = no_memory, .length = sizeof(no_memory) - 1};
  }
  send_answer(command);
  rt_unmap(memory, COMMAND_BYTES);
}

bool rt_control_handle(const siginfo_t *info) {
  const uint64_t value = (uintptr_t)info->si_value.sival_ptr;
  struct command command = {.code =
                                (uint8_t)(value >> ARCLINE_CTL_COMMAND_SHIFT),
                            .number = value & ARCLINE_CTL_NUMBER_MASK};
  struct rt_signals signals;

  if (info->si_code != SI_QUEUE ||
      value >> ARCLINE_CTL_MAGIC_SHIFT != ARCLINE_CTL_MAGIC)
    return false;
  // Another handler must not interrupt us, or it might never return.
  rt_signals_block(&signals);
  if (control.mark && rt_is_own() && is_new(command.number))
    run(&command);
  rt_signals_restore(&signals);
  return true;
}
