# Shared by the runtime and the analyzer; each compiles it with its own options.
set(ARCLINE_CORE_SOURCES "")
foreach(source solve/arc.c solve/blocks.c solve/cells.c solve/counters.c solve/flow.c
               solve/name_table.c solve/records.c solve/site_arcs.c solve/solve.c
               write/gmon.c write/byte_sink.c write/side_form.c write/side_text.c
               sum/side_lines.c sum/side_sum.c)
  list(APPEND ARCLINE_CORE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${source})
endforeach()

# Of the analyzer alone: the runtime adds to pools, which are no gmon files.
set(ARCLINE_CORE_GMON_SUM_SOURCES "")
foreach(source sum/gmon_parts.c sum/gmon_sort.c sum/gmon_sum.c)
  list(APPEND ARCLINE_CORE_GMON_SUM_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${source})
endforeach()
