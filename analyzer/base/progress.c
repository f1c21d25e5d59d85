/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/progress.h"

#include "base/err.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// A line that is wrapped could not be erased.
enum { LINE_BYTES = 79, FIRST_SECOND = 1, INTERVAL_USEC = 250000 };

static const char erase[] = "\r\033[K";

/** The signal handler shows lines[i_line]; the other one may be written
 * meanwhile. */
static char lines[2][LINE_BYTES + 1];
static volatile sig_atomic_t i_line;
static volatile sig_atomic_t is_shown;
static bool is_on;

/** A failure cannot be reported anywhere. */
static void show(const char *text, size_t length) {
  const ssize_t n = write(STDERR_FILENO, text, length);

  (void)n;
}

static void show_line(int signal) {
  const int saved_errno = errno;
  const char *const line = lines[i_line];

  (void)signal;
  show(erase, sizeof(erase) - 1);
  show(line, strlen(line));
  is_shown = true;
  errno = saved_errno;
}

static void erase_line(void) {
  if (!is_shown)
    return;
  is_shown = false;
  show(erase, sizeof(erase) - 1);
}

static void mask_signal(int how) {
  sigset_t alarm;

  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigprocmask(how, &alarm, NULL);
}

/** Erase the line, if there is one, and keep it away until the message is
 * written. The next signal shows it again. */
static void before_message(void) {
  mask_signal(SIG_BLOCK);
  erase_line();
}

static void after_message(void) { mask_signal(SIG_UNBLOCK); }

static void set_timer(time_t seconds, suseconds_t interval_usec) {
  const struct itimerval timer = {.it_value = {.tv_sec = seconds},
                                  .it_interval = {.tv_usec = interval_usec}};

  setitimer(ITIMER_REAL, &timer, NULL);
}

void progress_begin(void) {
  struct sigaction action = {.sa_handler = show_line, .sa_flags = SA_RESTART};

  if (!isatty(STDERR_FILENO))
    return;
  sigemptyset(&action.sa_mask);
  is_on = sigaction(SIGALRM, &action, NULL) == 0;
  progress_step("starting", "");
  if (is_on)
    set_timer(FIRST_SECOND, INTERVAL_USEC);
  err_set_around_message(before_message, after_message);
}

void progress_step(const char *what, const char *name) {
  char *const line = lines[!i_line];

  if (!is_on)
    return;
  snprintf(line, LINE_BYTES + 1, "%s: %s %s", err_program(), what, name);
  // Names may contain any byte.
  for (char *at = line; *at; at++)
    if ((unsigned char)*at < ' ' || *at == '\177')
      *at = '?';
  // The text must be complete before the handler can use it.
  atomic_signal_fence(memory_order_release);
  i_line = !i_line;
}

void progress_end(void) {
  if (!is_on)
    return;
  set_timer(0, 0);
  signal(SIGALRM, SIG_IGN);
  is_on = false;
  erase_line();
}
