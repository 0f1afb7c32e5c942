# ONNX's messages, generated at build time from the onnx.proto that ONNX ships: #include "onnx_proto/onnx.pb.h", types
# in namespace onnx_proto. Its package is renamed on the way, so that a program can hold Causeway beside libonnx without both
# claiming the symbols of namespace onnx. (It asks for protobuf's lite runtime, so nothing is registered by name.)

find_path(CAUSEWAY_ONNX_PROTO_FOLDER onnx/onnx.proto)
mark_as_advanced(CAUSEWAY_ONNX_PROTO_FOLDER)
if(NOT CAUSEWAY_ONNX_PROTO_FOLDER OR NOT TARGET dependency::protobuf OR NOT TARGET protobuf::protoc)
  message(STATUS "ONNX messages: wants onnx.proto, protobuf and protoc (libonnx-dev libprotobuf-dev protobuf-compiler)")
  return()
endif()

set(generated ${CMAKE_BINARY_DIR}/generated/onnx_proto)
file(READ ${CAUSEWAY_ONNX_PROTO_FOLDER}/onnx/onnx.proto onnx_proto)
string(REGEX REPLACE "\npackage [a-z_]+;" "\npackage onnx_proto;" onnx_proto "${onnx_proto}")
file(CONFIGURE OUTPUT ${generated}/onnx.proto CONTENT "${onnx_proto}" @ONLY)

add_custom_command(
  OUTPUT ${generated}/onnx.pb.cc ${generated}/onnx.pb.h
  COMMAND protobuf::protoc --cpp_out=${generated} --proto_path=${generated} ${generated}/onnx.proto
  DEPENDS ${generated}/onnx.proto protobuf::protoc
  VERBATIM)

add_library(causeway_onnx_proto STATIC ${generated}/onnx.pb.cc ${generated}/onnx.pb.h)
add_library(dependency::onnx_proto ALIAS causeway_onnx_proto)
set_target_properties(causeway_onnx_proto PROPERTIES EXPORT_NAME onnx_proto)
target_include_directories(causeway_onnx_proto SYSTEM PUBLIC $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>)
target_link_libraries(causeway_onnx_proto PUBLIC dependency::protobuf)
install(TARGETS causeway_onnx_proto EXPORT causeway)
