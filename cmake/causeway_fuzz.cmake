# causeway_fuzz(NAME LINKS folder... [PRIVATE_LINKS dependency...] [SEEDS pattern...])
#
# Makes NAME.cpp, which holds LLVMFuzzerTestOneInput, the target NAME_fuzz. With CAUSEWAY_FUZZ it is a libFuzzer program:
#
#   build/fuzz/fuzz/NAME_fuzz tests/fuzz/corpus/NAME
#
# With CAUSEWAY_TESTS it is the test fuzz/NAME, which hands over every file of tests/fuzz/corpus/NAME and every good
# file that SEEDS names below tests/fixtures, and these cut short and with a bit flipped as well (replay.cpp).
function(causeway_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;PRIVATE_LINKS;SEEDS")
  set(target ${name}_fuzz)
  add_executable(${target} ${name}.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  causeway_folder_links(${target} PRIVATE ${arg_LINKS})
  causeway_private_links(${target} causeway_warnings ${arg_PRIVATE_LINKS})
  if(CAUSEWAY_FUZZ)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.cpp)
    list(TRANSFORM arg_SEEDS PREPEND ${PROJECT_SOURCE_DIR}/tests/fixtures/)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}/*)
    if(arg_SEEDS)
      file(GLOB seeds CONFIGURE_DEPENDS ${arg_SEEDS})
    endif()
    add_test(NAME fuzz/${name} COMMAND ${target} ${files} --damaged ${seeds})
    set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT 900)
  endif()
endfunction()
