# What the runtime and the analyzer are both made of: solve/, write/ and sum/. Each
# compiles it its own way.
set(ARCLINE_SOLVE_SOURCES "")
foreach(source solve/arc.c solve/blocks.c solve/cells.c solve/counters.c solve/name_table.c
               solve/records.c solve/site_arcs.c solve/solve.c
               write/gmon.c write/side_text.c
               sum/gmon_parts.c sum/gmon_sort.c sum/gmon_sum.c
               sum/side_lines.c sum/side_sum.c)
  list(APPEND ARCLINE_SOLVE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/../${source})
endforeach()
