# Puts the runtime's own names, rt_*, side_*, solve_*, sum_* and write_*, among those that
# are reserved: the library is linked into any program, and one that has an rt_copy()
# of its own must link, too. Local functions get such names as well, so that
# profiles distinguish the runtime's code from the program's. And calls of memset() and
# memcpy(), which compilers make by themselves, become calls of our own.
#
#   cmake -DNM=... -DOBJCOPY=... -DARCHIVE=... -P reserve_names.cmake
execute_process(COMMAND ${NM} ${ARCHIVE} OUTPUT_VARIABLE symbols
  COMMAND_ERROR_IS_FATAL ANY)
# The functions that these calls become must not contain one: they would call
# themselves without end.
if(symbols MATCHES "\n(os|compiler_calls)\\.c\\.o:\n[^:]* U (memcpy|memset)\n")
  message(FATAL_ERROR "the compiler calls ${CMAKE_MATCH_2}() in ${CMAKE_MATCH_1}.c, "
    "which implements it")
endif()
string(REGEX MATCHALL " (rt|side|solve|sum|write)_[A-Za-z0-9_.]+" names "${symbols}")
string(REGEX MATCHALL " t [a-z][A-Za-z0-9_.]+" locals "${symbols}")
string(REGEX MATCHALL " [UTWD] [A-Za-z0-9_.]+" globals "${symbols}")
list(TRANSFORM names STRIP)
list(TRANSFORM locals REPLACE "^ t " "")
list(TRANSFORM globals REPLACE "^ . " "")
# A name that is global in another file is kept.
list(FILTER locals EXCLUDE REGEX "^(rt|side|solve|sum|write)_")
list(REMOVE_ITEM locals ${globals})
list(REMOVE_DUPLICATES names)
list(REMOVE_DUPLICATES locals)
set(pairs "memcpy __arcline_memcpy\nmemset __arcline_memset\n")
foreach(name IN LISTS names)
  string(APPEND pairs "${name} __arcline_${name}\n")
endforeach()
foreach(name IN LISTS locals)
  string(APPEND pairs "${name} __arcline_local_${name}\n")
endforeach()
file(WRITE ${ARCHIVE}.names "${pairs}")
execute_process(COMMAND ${OBJCOPY} -D --redefine-syms=${ARCHIVE}.names ${ARCHIVE}
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${ARCHIVE}.names)
