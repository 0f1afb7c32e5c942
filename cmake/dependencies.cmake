# The libraries Causeway stands on. Each found one is the imported target dependency::NAME, and causeway_library() and
# causeway_test() take it as PRIVATE_LINKS NAME:
#
#   dnnl gomp hwy threads               arithmetic
#   protobuf onnx_proto                 ONNX messages (onnx_proto is made in onnx_proto.cmake)
#   zip zlib hdf5 json csv crypto       files
#   sqlite pq date                      pipelines
#   cli11 beast                         the program
#   gmock gmock_main benchmark          tests and benchmarks
#
# One that is missing is an error only where it is used. The installed package reads this file too, since a static
# library hands its dependencies on.

include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)

# Wraps a target that some package made.
function(causeway_dependency name target)
  if(TARGET ${target} AND NOT TARGET dependency::${name})
    add_library(dependency::${name} INTERFACE IMPORTED)
    target_link_libraries(dependency::${name} INTERFACE ${target})
  endif()
endfunction()

# Finds a library by a header and the library's names.
function(causeway_find_dependency name header)
  find_path(CAUSEWAY_${name}_INCLUDE ${header})
  set(files CAUSEWAY_${name}_INCLUDE)
  if(ARGN)
    find_library(CAUSEWAY_${name}_LIBRARY NAMES ${ARGN})
    list(APPEND files CAUSEWAY_${name}_LIBRARY)
  endif()
  mark_as_advanced(${files})
  foreach(file IN LISTS files)
    if(NOT ${file})
      return()
    endif()
  endforeach()
  if(NOT TARGET dependency::${name})
    add_library(dependency::${name} INTERFACE IMPORTED)
    target_include_directories(dependency::${name} INTERFACE ${CAUSEWAY_${name}_INCLUDE})
    if(ARGN)
      target_link_libraries(dependency::${name} INTERFACE ${CAUSEWAY_${name}_LIBRARY})
    endif()
  endif()
endfunction()

find_package(hwy QUIET CONFIG)
find_package(Threads QUIET)
find_package(Protobuf QUIET MODULE)
find_package(ZLIB QUIET)
find_package(nlohmann_json QUIET CONFIG)
find_package(OpenSSL QUIET)
find_package(SQLite3 QUIET)
find_package(PostgreSQL QUIET)
find_package(date QUIET CONFIG)
find_package(CLI11 QUIET CONFIG)

causeway_dependency(hwy hwy::hwy)
causeway_dependency(threads Threads::Threads)
causeway_dependency(protobuf protobuf::libprotobuf)
causeway_dependency(zlib ZLIB::ZLIB)
causeway_dependency(json nlohmann_json::nlohmann_json)
causeway_dependency(crypto OpenSSL::Crypto)
causeway_dependency(sqlite SQLite::SQLite3)
causeway_dependency(pq PostgreSQL::PostgreSQL)
causeway_dependency(date date::date)
causeway_dependency(cli11 CLI11::CLI11)

# Debian's packages of these two fail where OpenCL or libzip's command-line tools are not installed.
causeway_find_dependency(dnnl dnnl.hpp dnnl)
causeway_find_dependency(zip zip.h zip)

causeway_find_dependency(csv csv.h csv)
causeway_find_dependency(beast boost/beast.hpp)

# HDF5's own search compiles programs to learn what pkg-config says at once.
if(PkgConfig_FOUND)
  pkg_check_modules(CAUSEWAY_HDF5 QUIET IMPORTED_TARGET hdf5)
  causeway_dependency(hdf5 PkgConfig::CAUSEWAY_HDF5)
endif()

# oneDNN runs on GCC's OpenMP, whose thread count the engine sets without omp.h; GCC keeps the plain name to itself.
find_library(CAUSEWAY_gomp_LIBRARY NAMES gomp libgomp.so.1)
mark_as_advanced(CAUSEWAY_gomp_LIBRARY)
if(CAUSEWAY_gomp_LIBRARY AND NOT TARGET dependency::gomp)
  add_library(dependency::gomp INTERFACE IMPORTED)
  target_link_libraries(dependency::gomp INTERFACE ${CAUSEWAY_gomp_LIBRARY})
endif()

if(CAUSEWAY_TESTS)
  find_package(GTest 1.12 QUIET CONFIG)
  causeway_dependency(gmock GTest::gmock)
  causeway_dependency(gmock_main GTest::gmock_main)
endif()
if(CAUSEWAY_BENCHMARKS)
  find_package(benchmark QUIET CONFIG)
  causeway_dependency(benchmark benchmark::benchmark)
endif()
