#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace causeway::formats::pytorch {

/// The instructions of a pickle that are read. Their values are the bytes that say them.
enum class Opcode : uint8_t {
  Mark = '(',
  Stop = '.',
  BinInt = 'J',
  BinInt1 = 'K',
  BinInt2 = 'M',
  None = 'N',
  BinPersId = 'Q',
  Reduce = 'R',
  ShortBinString = 'U',
  BinUnicode = 'X',
  Append = 'a',
  Build = 'b',
  Global = 'c',
  Appends = 'e',
  BinGet = 'h',
  LongBinGet = 'j',
  BinPut = 'q',
  LongBinPut = 'r',
  SetItem = 's',
  Tuple = 't',
  SetItems = 'u',
  BinFloat = 'G',
  EmptyTuple = ')',
  EmptyList = ']',
  EmptyDict = '}',
  Proto = 0x80,
  NewObj = 0x81,
  Tuple1 = 0x85,
  Tuple2 = 0x86,
  Tuple3 = 0x87,
  NewTrue = 0x88,
  NewFalse = 0x89,
  Long1 = 0x8a,
  EmptySet = 0x8f,
};

/// "STACK_GLOBAL", or "opcode 0xff" where no instruction of any protocol has that byte.
std::string opcode_name(uint8_t byte);

}  // namespace causeway::formats::pytorch
