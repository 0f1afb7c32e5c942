#include "causeway/cli/arrays.h"

#include <zip.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/base/within.h"
#include "causeway/cli/npy.h"
#include "causeway/formats/atomic_file.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/formats/safetensors/writer.h"
#include "causeway/formats/zip.h"
#include "causeway/pipeline/csv.h"

namespace causeway::cli {
namespace {

using formats::ByteSource;

std::string suffix_of(const std::string& path) { return std::filesystem::path(path).extension().string(); }

std::optional<double> number_of(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Rows of numbers as they come, column by column of each row.
class NumberSink final : public pipeline::CellSink {
 public:
  explicit NumberSink(const pipeline::Source& source) : source_(source) {}

  void cell(size_t, std::string_view text) override {
    const std::optional<double> number = number_of(text);
    if (!number && faults.size() < 20) faults.push_back({source_.place(), causeway::quoted(text) + " is no number."});
    numbers.push_back(number.value_or(0));
  }
  void end_row() override { ++rows; }

  std::vector<double> numbers;
  int64_t rows = 0;
  std::vector<Fault> faults;

 private:
  const pipeline::Source& source_;
};

Tensor read_csv(const std::string& path) {
  const std::unique_ptr<pipeline::CsvSource> source = pipeline::CsvSource::open(path, escaped(path));
  const auto& names = source->names();
  if (!names.empty() && std::all_of(names.begin(), names.end(), [](const auto& name) { return number_of(name); })) {
    throw Refused(escaped(path) + ", line 1",
                  "it holds numbers alone, from " + causeway::quoted(names.front()) +
                      " on, and the first line is a header that names the columns. Put one above it.");
  }
  NumberSink sink(*source);
  pipeline::RowFaults row_faults;
  source->read(sink, row_faults);
  std::vector<Fault> faults = row_faults.all();
  faults.insert(faults.end(), sink.faults.begin(), sink.faults.end());
  refuse_if_any(std::move(faults));
  return Tensor::of<double>({sink.rows, static_cast<int64_t>(source->names().size())}, sink.numbers);
}

// unfit() comes through as a fault at `where`.
template <class Body>
auto at_place(const std::string& where, const Body& body) {
  try {
    return body();
  } catch (const Unfit& unfit) {
    throw Refused(where, unfit.what());
  }
}

Arrays read_npz(const ByteSource& source) {
  const formats::ZipArchive archive(source.bytes());
  Arrays arrays{.named = {}, .has_names = true};
  // Deflate packs a thousand to one at best, and whoever writes nothing but noughts stays within it.
  constexpr uint64_t kMostTimesLarger = 1032;
  for (const formats::ZipMember& member : archive.members()) {
    std::string name = member.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    const std::string where = escaped(source.name()) + ", array " + causeway::quoted(name);
    const formats::ZipBytes bytes = archive.read(member, member.stored_bytes * kMostTimesLarger);
    Tensor array = at_place(where, [&] { return read_npy(bytes.bytes); });
    if (!arrays.named.emplace(name, std::move(array)).second) throw Refused(where, "it is there twice.");
  }
  return arrays;
}

Arrays read_safetensors_arrays(const ByteSource& source) {
  Arrays arrays{.named = {}, .has_names = true};
  for (const auto& stored : formats::safetensors::read_safetensors(source).tensors) {
    const std::string where = escaped(source.name()) + ", tensor " + causeway::quoted(stored.name);
    arrays.named.emplace(
        stored.name, at_place(where, [&] {
          if (stored.kind->dtype == DType::Unknown)
            unfit("its elements are " + std::string(stored.kind->name) + ", which no array here holds.");
          return stored.tensor();
        }));
  }
  return arrays;
}

void write_npz(const std::map<std::string, Tensor, std::less<>>& arrays, const std::vector<std::string>& order,
               const std::string& path) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* archive = buffer ? zip_open_from_source(buffer, ZIP_TRUNCATE, &error) : nullptr;
  if (!archive) throw Refused(escaped(path), "no archive can be made in memory.");
  zip_source_keep(buffer);
  std::vector<std::string> files;
  files.reserve(arrays.size());
  for (const std::string& name : order) {
    files.push_back(npy_of(arrays.find(name)->second));
    zip_source_t* member = zip_source_buffer(archive, files.back().data(), files.back().size(), 0);
    const zip_int64_t index = zip_file_add(archive, (name + ".npy").c_str(), member, ZIP_FL_ENC_UTF_8);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    // One fixed time, so that the same arrays give the same bytes.
    constexpr time_t kNewYear1980 = 315532800;
    zip_file_set_mtime(archive, static_cast<zip_uint64_t>(index), kNewYear1980, 0);
  }
  if (zip_close(archive) != 0) throw Refused(escaped(path), "the archive cannot be put together.");
  zip_source_open(buffer);
  zip_stat_t stat;
  zip_source_stat(buffer, &stat);
  std::string content(stat.size, '\0');
  zip_source_read(buffer, content.data(), content.size());
  zip_source_close(buffer);
  zip_source_free(buffer);
  formats::write_file(path, content);
}

std::string number_text(const Tensor& tensor, int64_t i) {
  if (!is_floating(tensor.dtype())) return std::to_string(tensor.integer_at(i));
  char text[64];
  std::snprintf(text, sizeof text, tensor.dtype() == DType::Float64 ? "%.17g" : "%.9g", tensor.number_at(i));
  return text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted_text = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted_text += '"';
    quoted_text += letter;
  }
  return quoted_text + "\"";
}

}  // namespace

std::string Arrays::names_text() const {
  if (named.empty()) return "no array";
  std::vector<std::string_view> names;
  for (const auto& [name, tensor] : named) names.push_back(name);
  return (names.size() == 1 ? "the array " : "the arrays ") + quoted_list(names);
}

std::optional<Arrays> arrays_of(const ByteSource& source) {
  if (claims_npy(source.bytes())) {
    return Arrays{.named = {{"", at_place(escaped(source.name()), [&] { return read_npy(source.bytes()); })}}};
  }
  if (formats::ZipArchive::claims(source.bytes())) return read_npz(source);
  if (formats::safetensors::claims_safetensors(source)) return read_safetensors_arrays(source);
  return std::nullopt;
}

Arrays read_arrays(const std::string& path) {
  if (path.empty()) throw Refused("a file to be read", "its name is empty.");
  const ByteSource source = ByteSource::open(path);
  if (std::optional<Arrays> arrays = in_file(escaped(path), [&] { return arrays_of(source); }))
    return std::move(*arrays);
  if (suffix_of(path) == ".csv") return {.named = {{"", read_csv(path)}}};
  throw Refused(escaped(path), "it begins like none of .npy, .npz, .safetensors, and does not end in .csv.");
}

std::string csv_of(const std::string& name, const Tensor& tensor, const std::vector<TextColumn>& before) {
  int64_t columns = 1;
  for (size_t axis = 1; axis < tensor.rank(); ++axis) columns *= tensor.lengths()[axis];
  std::vector<std::string> names;
  for (int64_t i = 0; i < columns; ++i) names.push_back(columns == 1 ? name : name + "." + std::to_string(i));
  return csv_of(names, tensor, before);
}

std::string csv_of(const std::vector<std::string>& names, const Tensor& tensor, const std::vector<TextColumn>& before) {
  std::string text;
  for (const TextColumn& column : before) text += csv_cell(column.name) + ",";
  for (size_t i = 0; i < names.size(); ++i) text += (i ? "," : "") + csv_cell(names[i]);
  text += '\n';
  const int64_t rows = tensor.rank() == 0 ? 1 : tensor.lengths()[0];
  const auto columns = static_cast<int64_t>(names.size());
  for (int64_t row = 0; row < rows; ++row) {
    for (const TextColumn& column : before) text += csv_cell(column.cells[static_cast<size_t>(row)]) + ",";
    for (int64_t i = 0; i < columns; ++i) text += (i ? "," : "") + number_text(tensor, row * columns + i);
    text += '\n';
  }
  return text;
}

void write_arrays(const std::map<std::string, Tensor, std::less<>>& arrays, const std::string& path,
                  std::vector<std::string> order) {
  const std::string suffix = suffix_of(path);
  const bool single = suffix == ".npy" || suffix == ".csv";
  if (single && arrays.size() != 1) {
    throw Refused(escaped(path), "there are " + std::to_string(arrays.size()) + " arrays, and " + suffix +
                                     " holds one. Write .npz or .safetensors.");
  }
  if (suffix == ".npy") {
    formats::write_file(path, npy_of(arrays.begin()->second));
  } else if (suffix == ".csv") {
    formats::write_file(path, csv_of(arrays.begin()->first, arrays.begin()->second));
  } else if (suffix == ".npz") {
    if (order.empty()) {
      for (const auto& [name, tensor] : arrays) order.push_back(name);
    }
    write_npz(arrays, order, path);
  } else if (suffix == ".safetensors") {
    std::vector<formats::safetensors::WrittenTensor> tensors;
    for (const auto& [name, tensor] : arrays) tensors.push_back({name, tensor, {}});
    formats::safetensors::write_safetensors(path, {}, tensors);
  } else {
    throw Refused(escaped(path), "arrays are written as .npy, .npz, .safetensors or .csv, and " +
                                     causeway::quoted(suffix) + " is none of these.");
  }
}

}  // namespace causeway::cli
