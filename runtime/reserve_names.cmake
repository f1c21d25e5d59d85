# Puts the runtime's own names, rt_*, solve_* and write_*, among those that are
# reserved: the library is linked into any program, and one that has an rt_copy()
# of its own must link, too.
#
#   cmake -DNM=... -DOBJCOPY=... -DARCHIVE=... -P reserve_names.cmake
execute_process(COMMAND ${NM} ${ARCHIVE} OUTPUT_VARIABLE symbols
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " (rt|solve|write)_[A-Za-z0-9_]+" names "${symbols}")
list(REMOVE_DUPLICATES names)
set(pairs "")
foreach(name IN LISTS names)
  string(STRIP ${name} name)
  string(APPEND pairs "${name} __arcline_${name}\n")
endforeach()
file(WRITE ${ARCHIVE}.names "${pairs}")
execute_process(COMMAND ${OBJCOPY} -D --redefine-syms=${ARCHIVE}.names ${ARCHIVE}
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${ARCHIVE}.names)
