#!/bin/sh
# Runs Debian's Bazel without network and the settings of the user:
# run_bazel.sh FOLDER COMMAND..., in the workspace. Bazel writes to FOLDER.
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
command=$2
shift 2
exec bazel --batch --nohome_rc --output_user_root="$folder" "$command" \
  --override_repository=rules_java=/usr/share/bazel/rules/java \
  --override_repository=rules_cc="$here/bazel-stubs" \
  --override_repository=remote_coverage_tools="$here/bazel-stubs" \
  --jobs=2 --color=no --curses=no "$@"
