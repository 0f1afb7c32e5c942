# causeway_test(NAME [SOURCES file...] [LINKS folder...] [PRIVATE_LINKS dependency...])
#
# Makes a folder of tests/ one GoogleTest program: causeway_test(formats/onnx LINKS formats/onnx) is the target
# formats_onnx_test, from the folder's own .cpp files unless SOURCES says others, and its tests are known to ctest as
# formats/onnx/Suite.Name (under a sanitizer the whole program is one test). Where tests/support has a library, every test links it. CAUSEWAY_FIXTURES and CAUSEWAY_DATA
# are the paths of tests/fixtures and data.
function(causeway_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PRIVATE_LINKS")
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  if(NOT arg_SOURCES)
    return()
  endif()
  string(REPLACE "/" "_" target ${name}_test)
  add_executable(${target} ${arg_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE CAUSEWAY_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures"
                                               CAUSEWAY_DATA="${PROJECT_SOURCE_DIR}/data")
  causeway_folder_links(${target} PRIVATE ${arg_LINKS})
  if(TARGET causeway_tests_support)
    target_link_libraries(${target} PRIVATE causeway_tests_support)
  endif()
  causeway_private_links(${target} causeway_warnings gmock gmock_main ${arg_PRIVATE_LINKS})

  # A sanitizer takes longer to start than most tests to run, so under one a program is a single test.
  if(CAUSEWAY_SANITIZERS)
    add_test(NAME ${name} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 900)
  else()
    gtest_discover_tests(${target} TEST_PREFIX ${name}/ DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES
                         PROPERTIES TIMEOUT 300)
  endif()
endfunction()
