# How every target is compiled: the standard, the warnings, the sanitizers, and the faster tools where they are found.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CAUSEWAY_CCACHE ccache)
if(CAUSEWAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CAUSEWAY_CCACHE})
endif()
foreach(linker IN ITEMS mold lld)
  find_program(CAUSEWAY_${linker} NAMES ld.${linker})
  if(CAUSEWAY_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()

add_library(causeway_warnings INTERFACE)
# GCC 12 sees overlaps in operator+ of texts that are none (its bug 105651).
target_compile_options(
  causeway_warnings INTERFACE -Wall -Wextra -Wconversion $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                              $<$<BOOL:${CAUSEWAY_WERROR}>:-Werror>)

if(CAUSEWAY_SANITIZERS)
  add_compile_options(-fsanitize=${CAUSEWAY_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CAUSEWAY_SANITIZERS})
endif()
if(CAUSEWAY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
