# A whole CMake project for profiling, with its own CMakeLists.txt as it is:
#
#   cmake -S . -B build --toolchain FOLDER/ArclineToolchain.cmake
#
# FOLDER is where this file is installed: `pkg-config --variable=cmakedir arcline`.
# Or by a preset, see ArclinePresets.json beside it. find_package(Arcline) and
# arcline_instrument() are for single targets of a project.
get_filename_component(arcline_bin "${CMAKE_CURRENT_LIST_DIR}/@BIN_FROM_CMAKE@" ABSOLUTE)
set(CMAKE_C_COMPILER "${arcline_bin}/arcline-cc")
set(CMAKE_CXX_COMPILER "${arcline_bin}/arcline-c++")
unset(arcline_bin)
