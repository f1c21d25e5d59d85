#compdef arcline
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of arcline's command lines for zsh.
_arcline() {
  local -a answer open
  answer=("${(@f)$(command arcline complete "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  compset -P '--*='
  case $answer[1] in
  '') return 1 ;;
  :files) _files ;;
  :folders) _files -/ ;;
  *)
    answer=("${(@)${(@)answer//:/\\:}/$'\t'/:}")
    open=("${(@M)answer:#--[a-z-]#=*}") # an argument follows
    answer=("${(@)answer:#--[a-z-]#=*}")
    _describe -t words word answer -- open -S ''
    ;;
  esac
}
# As a file among zsh's functions it is the function; else it was sourced.
if [[ $funcstack[1] == _arcline ]]; then
  _arcline "$@"
else
  compdef _arcline arcline
fi
