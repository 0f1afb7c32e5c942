# causeway_library(NAME [SOURCES file...] [LINKS folder...] [PRIVATE_LINKS dependency...])
#
# Makes one folder of causeway/ a static library: causeway_library(engine/cpu LINKS engine passes PRIVATE_LINKS dnnl)
# is causeway::engine::cpu. Without SOURCES it holds the folder's own .cpp files (main.cpp aside, which is a
# program's). LINKS are folders whose headers it includes; PRIVATE_LINKS are names of dependencies.cmake, for .cpp
# files only. A folder of headers alone becomes an interface library.
function(causeway_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PRIVATE_LINKS")
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS *.cpp)
    list(FILTER arg_SOURCES EXCLUDE REGEX "/main\\.cpp$")
  endif()
  string(REPLACE "/" "_" target causeway_${name})
  string(REPLACE "/" "::" alias causeway::${name})

  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(reach PUBLIC)
    causeway_private_links(${target} ${arg_PRIVATE_LINKS})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:causeway_warnings>)
  else()
    add_library(${target} INTERFACE)
    set(reach INTERFACE)
  endif()
  add_library(${alias} ALIAS ${target})

  target_compile_features(${target} ${reach} cxx_std_20)
  target_include_directories(${target} ${reach} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  causeway_folder_links(${target} ${reach} ${arg_LINKS})

  string(REPLACE "/" "_" export_name ${name})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name})
  install(TARGETS ${target} EXPORT causeway)
  set_property(GLOBAL APPEND PROPERTY CAUSEWAY_LIBRARIES ${target})
endfunction()

# causeway_program(NAME [SOURCES file...] [LINKS folder...] [PRIVATE_LINKS dependency...]): a program at the top of the
# build folder, from main.cpp unless said, installed with the library.
function(causeway_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PRIVATE_LINKS")
  if(NOT arg_SOURCES)
    set(arg_SOURCES main.cpp)
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  # Every symbol is bound when the program starts, none in the middle of its work.
  target_link_options(${name} PRIVATE LINKER:-z,now)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  causeway_private_links(${name} causeway_warnings ${arg_PRIVATE_LINKS})
  causeway_folder_links(${name} PRIVATE ${arg_LINKS})
  install(TARGETS ${name})
endfunction()

# Links folders by their names: engine/cpu is causeway::engine::cpu.
function(causeway_folder_links target reach)
  foreach(folder IN LISTS ARGN)
    string(REPLACE "/" "::" alias causeway::${folder})
    target_link_libraries(${target} ${reach} ${alias})
  endforeach()
endfunction()

# Links names of dependencies.cmake, and says what is missing by name.
function(causeway_private_links target)
  foreach(name IN LISTS ARGN)
    if(TARGET dependency::${name})
      target_link_libraries(${target} PRIVATE dependency::${name})
    elseif(TARGET ${name})
      target_link_libraries(${target} PRIVATE ${name})
    else()
      message(FATAL_ERROR "${target} links '${name}', which was not found here. scripts/setup installs what is needed.")
    endif()
  endforeach()
endfunction()

# Adds ROOT/<folder> for each of causeway_folders that has a CMakeLists.txt. A folder that gains one is noticed by the
# next build. The folders are built under parts/, since the program takes the name causeway.
function(causeway_add_folders root)
  file(GLOB_RECURSE lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${root}/*CMakeLists.txt)
  foreach(folder IN LISTS causeway_folders)
    if(${PROJECT_SOURCE_DIR}/${root}/${folder}/CMakeLists.txt IN_LIST lists)
      add_subdirectory(${PROJECT_SOURCE_DIR}/${root}/${folder} ${CMAKE_BINARY_DIR}/parts/${root}/${folder})
    endif()
  endforeach()
endfunction()

# causeway::causeway, everything but the command line, behind #include <causeway/causeway.h>.
function(causeway_umbrella)
  get_property(libraries GLOBAL PROPERTY CAUSEWAY_LIBRARIES)
  list(REMOVE_ITEM libraries causeway_cli)
  add_library(causeway_causeway INTERFACE)
  add_library(causeway::causeway ALIAS causeway_causeway)
  target_link_libraries(causeway_causeway INTERFACE ${libraries})
  target_include_directories(causeway_causeway INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(causeway_causeway PROPERTIES EXPORT_NAME causeway)
  install(TARGETS causeway_causeway EXPORT causeway)
endfunction()
