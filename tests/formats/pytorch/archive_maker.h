#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace causeway::tests {

/// Writes a torch.save archive member by member, as small as a zip archive can be, so that a test can say any pickle.
class ArchiveMaker {
 public:
  ArchiveMaker() { add("version", "3\n"); }

  ArchiveMaker& add(std::string_view name, std::string_view content) { return add(name, content, content.size(), 0); }

  ArchiveMaker& add_deflated(std::string_view name, std::string_view content) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return add(name, packed, content.size(), 8, crc_of(content));
  }

  std::string finish() const {
    std::string end = "PK\x05\x06";
    number(end, 0, 4);
    number(end, members_, 2);
    number(end, members_, 2);
    number(end, directory_.size(), 4);
    number(end, file_.size(), 4);
    number(end, 0, 2);
    return file_ + directory_ + end;
  }

 private:
  static uint64_t crc_of(std::string_view content) {
    return crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  }

  static void number(std::string& to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
  }

  ArchiveMaker& add(std::string_view name, std::string_view stored, size_t size, int method) {
    return add(name, stored, size, method, crc_of(stored));
  }

  ArchiveMaker& add(std::string_view name, std::string_view stored, size_t size, int method, uint64_t crc) {
    const std::string path = "archive/" + std::string(name);
    const size_t offset = file_.size();
    std::string about;
    number(about, 20, 2);
    number(about, 0, 2);
    number(about, static_cast<uint64_t>(method), 2);
    number(about, 0, 4);
    number(about, crc, 4);
    number(about, stored.size(), 4);
    number(about, size, 4);
    number(about, path.size(), 2);
    number(about, 0, 2);
    file_ += "PK\x03\x04" + about + path;
    file_ += stored;
    directory_ += std::string("PK\x01\x02") + '\x14' + '\0' + about;
    directory_.append(10, '\0');
    number(directory_, offset, 4);
    directory_ += path;
    ++members_;
    return *this;
  }

  std::string file_, directory_;
  uint64_t members_ = 0;
};

/// Writes a pickle instruction by instruction.
class PickleMaker {
 public:
  PickleMaker() : bytes_("\x80\x02") {}

  PickleMaker& op(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  PickleMaker& text(std::string_view text) {
    bytes_ += 'X';
    for (int i = 0; i < 4; ++i) bytes_ += static_cast<char>(text.size() >> (8 * i));
    return op(text);
  }
  PickleMaker& integer(int64_t value) {
    bytes_ += "\x8a\x08";
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  PickleMaker& global(std::string_view module, std::string_view name) {
    return op("c").op(module).op("\n").op(name).op("\n");
  }
  /// A storage of float32, as a persistent id.
  PickleMaker& storage(std::string_view key, int64_t count) {
    return op("(").text("storage").global("torch", "FloatStorage").text(key).text("cpu").integer(count).op("tQ");
  }
  /// A dense or strided tensor over it.
  PickleMaker& tensor(std::string_view key, int64_t count, int64_t offset, const std::vector<int64_t>& lengths,
                      const std::vector<int64_t>& strides) {
    global("torch._utils", "_rebuild_tensor_v2").op("(").storage(key, count).integer(offset);
    for (const std::vector<int64_t>* numbers : {&lengths, &strides}) {
      op("(");
      for (const int64_t number : *numbers) integer(number);
      op("t");
    }
    return op("\x89}tR");
  }
  std::string finish() const { return bytes_ + "."; }
  size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

}  // namespace causeway::tests
