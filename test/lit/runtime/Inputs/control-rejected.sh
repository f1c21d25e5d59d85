# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs that accept no commands: the messages of `arcline ctl` for each, and that only
# SIGTERM ends them. Arguments: arcline, program.
arcline=$1
program=$2

say() { # name, pid, command before arcline
  local name=$1 pid=$2 text
  shift 2
  text=$("$@" "$arcline" ctl --timeout="${timeout:-0}" "$pid" dump 2>&1)
  echo "$name: exit $?: $text"
}

end() { # name, process
  kill -CONT "$2"
  kill -TERM "$2"
  wait "$2"
  echo "$1: status $?"
}

# Sets pid, of the process, and told, the output of the program.
begin() {
  rm -f pid
  mkfifo pid
  "$@" > pid &
  pid=$!
  read -r told < pid
}

(exit 0) &
pid=$!
wait "$pid"
say no-such "$pid"
sleep 1000 &
pid=$!
until [ "$(readlink /proc/$pid/exe)" != "$(readlink /proc/$$/exe)" ]; do :; done
say plain "$pid"
kill "$pid"
for how in thread blocked default taken; do
  # The program's signal() is not wrapped: a sample would end it after SIG_DFL.
  [ $how != default ] || export ARCLINE_OPTIONS=hz=0
  begin "$program" "$how"
  unset ARCLINE_OPTIONS
  say "$how" "$told"
  end "$how" "$pid"
done
begin "$program" stopped
kill -STOP "$pid"
until grep -q '^State:.T' "/proc/$pid/status"; do :; done
say stopped "$pid"
end stopped "$pid"
begin "$program" sandbox
say sandbox "$pid"
end sandbox "$pid"
export ARCLINE_OPTIONS=fork=off
begin "$program" fork-off
unset ARCLINE_OPTIONS
say fork-off "$told"
kill "$told"
cp "$program" other
chown nobody other
chmod u+s other
begin ./other set-user-id
say set-user-id "$pid"
end set-user-id "$pid"
begin "$program" other-user
chmod a+x .
say other-user "$pid" setpriv --reuid=nobody --clear-groups
kill "$pid"
export ARCLINE_OPTIONS=out=/dev/null/gmon.out
begin "$program" unwritable
unset ARCLINE_OPTIONS
timeout=60
say unwritable "$pid"
end unwritable "$pid"
