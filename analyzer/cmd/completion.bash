# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of arcline's command lines for bash.
_arcline() {
  local cur=${COMP_WORDS[COMP_CWORD]} answer
  answer=$(command arcline complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null | cut -f 1)
  [[ $cur == '=' ]] && cur= # to bash a word of its own
  case $answer in
  :files) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
  :folders) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
  *) mapfile -t COMPREPLY < <(compgen -W "$answer" -- "$cur") ;;
  esac
  case $answer:${COMPREPLY[0]} in
  :f*) compopt -o filenames 2> /dev/null ;;
  *=) compopt -o nospace 2> /dev/null ;;
  esac
  return 0
}
complete -F _arcline arcline
