#include "causeway/pipeline/csv.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_set>

#include "causeway/base/not_opened.h"
#include "causeway/base/quoted.h"
#include "causeway/base/utf8.h"
#include "causeway/pipeline/trimmed.h"

namespace causeway::pipeline {
namespace {

constexpr size_t kFirstBuffer = size_t{256} << 10;
// Every byte of a field may be a doubled quote; two more stand around it.
constexpr size_t kLongestRaw = 2 * CsvSource::kLongestField + 2;

constexpr uint64_t kEachByte = 0x0101010101010101, kHighBits = 0x8080808080808080;
constexpr char kTooLong[] = "The field that begins here is longer than 1 MiB, the longest that is read.";
constexpr char kZeroByte[] = "A zero byte stands here. The file is no text.";

}  // namespace

std::unique_ptr<CsvSource> CsvSource::open(const std::string& path, const std::string& shown, Dialect dialect) {
  std::unique_ptr<CsvSource> made(new CsvSource(shown, dialect));
  made->file_.reset(std::fopen(path.c_str(), "rb"));
  if (!made->file_) throw Refused(escaped(shown), not_opened(errno));
  std::setvbuf(made->file_.get(), nullptr, _IONBF, 0);
  std::error_code unknown;  // of what is no file, such as a pipe
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown) made->size_ = size;
  made->buffer_.resize(kFirstBuffer);
  made->data_ = made->buffer_.data();
  made->read_header();
  return made;
}

std::unique_ptr<CsvSource> CsvSource::over(std::string_view text, const std::string& shown, Dialect dialect) {
  std::unique_ptr<CsvSource> made(new CsvSource(shown, dialect));
  made->data_ = text.data();
  made->end_ = made->size_ = text.size();
  made->read_header();
  return made;
}

// Reads on behind the bytes at hand; the field that is being read stays whole.
bool CsvSource::refill() {
  if (!file_) return false;
  if (line_start_ < field_) {
    column_base_ += characters_in({data_ + line_start_, field_ - line_start_});
    line_start_ = field_;
  }
  const size_t kept = end_ - field_;
  std::memmove(buffer_.data(), buffer_.data() + field_, kept);
  passed_ += field_;
  at_ -= field_, end_ -= field_, line_start_ -= field_, field_ = 0;
  if (kept == buffer_.size()) {
    if (kept > kLongestRaw) throw Refused(place(), kTooLong);
    buffer_.resize(buffer_.size() * 2);
  }
  data_ = buffer_.data();
  const size_t got = std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_.get());
  if (got == 0 && std::ferror(file_.get()) != 0) {
    throw Refused(escaped(shown_), "It cannot be read on: " + std::string(std::strerror(errno)) + ".");
  }
  end_ += got;
  return got > 0;
}

void CsvSource::next_line() {
  ++line_;
  line_start_ = at_;
  column_base_ = 0;
}

// Most fields are plain, of a few characters of ASCII, and lie at hand whole.
bool CsvSource::short_field(End& end) {
  uint64_t bytes;
  if (end_ - at_ <= sizeof bytes) return false;
  std::memcpy(&bytes, data_ + at_, sizeof bytes);
  const uint64_t stops = stops_in(bytes);
  const int place = stops == 0 ? 8 : __builtin_ctzll(stops) / 8;
  const char c = data_[at_ + static_cast<size_t>(place)];
  if (c != dialect_.separator && c != '\n') return false;
  if (place > 0 && (bytes & kHighBits & (~uint64_t{0} >> (64 - 8 * place))) != 0) return false;
  text_ = {data_ + at_, static_cast<size_t>(place)};
  at_ += static_cast<size_t>(place) + 1;
  end = c == '\n' ? End::Line : End::Separator;
  return true;
}

CsvSource::End CsvSource::field() {
  field_ = at_;
  cell_line_ = line_, cell_column_ = 0;
  quoted_ = false;
  if (End end; short_field(end)) return end;
  doubled_quotes_ = beyond_ascii_ = false;
  quoted_ = !at_end() && data_[at_] == '"';
  if (quoted_) {
    pass_quoted();
  } else {
    pass_plain();
  }
  const size_t size = at_ - field_;
  const End end = ending();
  take_text(quoted_ ? data_ + field_ + 1 : data_ + field_, quoted_ ? size - 2 : size);
  return end;
}

// Everything that ends a plain field, or may not stand in one, is the separator or below the quote, and so are a few
// bytes that mean nothing.
void CsvSource::pass_plain() {
  uint64_t seen = 0;
  for (;;) {
    pass_ordinary(seen);
    if (at_ == end_) {
      if (refill()) continue;
      break;
    }
    const char c = data_[at_];
    if (c == dialect_.separator || c == '\n' || c == '\r') break;
    if (c == '"') {
      refuse_at(at_, "A quote stands inside an unquoted field. Quote the whole field, and double the quotes in it.");
    }
    if (c == 0) refuse_at(at_, kZeroByte);
    ++at_;
  }
  beyond_ascii_ = (seen & kHighBits) != 0;
}

/// A bit in each byte that is the separator or at most a quote. The lowest that is set is right; those above it may be
/// borrowed (Mycroft 1987).
uint64_t CsvSource::stops_in(uint64_t bytes) const {
  const uint64_t from_separator = bytes ^ separators_;
  return ((bytes - kEachByte * ('"' + 1)) & ~bytes & kHighBits) |
         ((from_separator - kEachByte) & ~from_separator & kHighBits);
}

// Goes on to the next byte that is the separator or at most a quote, eight bytes at a time while there are eight.
void CsvSource::pass_ordinary(uint64_t& seen) {
  while (end_ - at_ >= sizeof(uint64_t)) {
    uint64_t bytes;
    std::memcpy(&bytes, data_ + at_, sizeof bytes);
    const uint64_t stops = stops_in(bytes);
    if (stops != 0) {
      const int place = __builtin_ctzll(stops) / 8;
      seen |= bytes & ((uint64_t{1} << (8 * place)) - 1);
      at_ += static_cast<size_t>(place);
      return;
    }
    seen |= bytes;
    at_ += sizeof bytes;
  }
  for (; at_ < end_; ++at_) {
    const auto c = static_cast<unsigned char>(data_[at_]);
    if (data_[at_] == dialect_.separator || c <= '"') return;
    seen |= c;
  }
}

void CsvSource::pass_quoted() {
  ++at_;
  unsigned char seen = 0;
  for (;;) {
    if (at_end()) throw Refused(place(), "The quote that opens here is never closed.");
    const char c = data_[at_];
    if (c == 0) refuse_at(at_, kZeroByte);
    seen |= static_cast<unsigned char>(c);
    ++at_;
    if (c == '\n') {
      if (cell_column_ == 0) cell_column_ = column_of(field_);
      next_line();
    }
    if (c != '"') continue;
    if (at_end() || data_[at_] != '"') break;
    doubled_quotes_ = true;
    ++at_;
  }
  beyond_ascii_ = seen >= 0x80;
}

void CsvSource::take_text(const char* first, size_t size) {
  text_ = {first, size};
  if (doubled_quotes_) {
    unescaped_.clear();
    for (size_t i = 0; i < text_.size(); ++i) {
      unescaped_.push_back(text_[i]);
      if (text_[i] == '"') ++i;
    }
    text_ = unescaped_;
  }
  if (text_.size() > kLongestField) throw Refused(place(), kTooLong);
  if (beyond_ascii_ && !is_utf8(text_))
    throw Refused(place(), "The field that begins here holds bytes that are no UTF-8.");
}

CsvSource::End CsvSource::ending() {
  if (at_end()) return End::File;
  const char c = data_[at_];
  if (c == dialect_.separator) {
    ++at_;
    return End::Separator;
  }
  if (c == '\n') {
    ++at_;
    return End::Line;
  }
  if (c == '\r') {
    if (at_ + 1 == end_) refill();
    if (at_ + 1 < end_ && data_[at_ + 1] == '\n') {
      at_ += 2;
      return End::Line;
    }
    refuse_at(at_, "A CR stands here without LF. Lines end in LF or CRLF.");
  }
  refuse_at(at_, "Text stands behind the closing quote of a field. A quote inside quotes is doubled.");
}

void CsvSource::read_header() {
  if (!at_end() && end_ - at_ < 3) refill();
  if (end_ - at_ >= 3 && std::memcmp(data_ + at_, "\xEF\xBB\xBF", 3) == 0) at_ += 3, line_start_ = at_;
  if (at_end()) throw Refused(place_of(1, 1), "The file is empty. A header line with the columns' names comes first.");
  std::vector<Fault> faults;
  std::unordered_set<std::string> seen;
  for (End end = End::Separator; end == End::Separator;) {
    end = field();
    if (names_.size() == kMostColumns) {
      throw Refused(place(), "The header names more than " + std::to_string(kMostColumns) + " columns.");
    }
    names_.emplace_back(text_);
    if (text_.empty()) {
      faults.push_back({place(), "The column has no name."});
    } else if (!seen.insert(names_.back()).second) {
      faults.push_back({place(), "A column " + quoted(text_) + " stands further left already."});
    }
  }
  refuse_if_any(std::move(faults));
  next_line();
}

void CsvSource::read(CellSink& sink, RowFaults& faults) {
  try {
    while (!at_end()) read_row(sink, faults);
  } catch (const Refused& refused) {  // where the text itself is broken, nothing behind it can be told apart
    for (const Fault& fault : refused.faults()) faults.add(fault.where, fault.what);
  }
}

void CsvSource::read_row(CellSink& sink, RowFaults& faults) {
  size_t cells = 0;
  for (;;) {
    const End end = field();
    if (cells == 0 && end != End::Separator && text_.empty() && !quoted_) {
      ++empty_lines_;
      next_line();
      return;
    }
    if (empty_lines_ > 0) hand_over_empty_lines(sink, faults);
    if (cells == 0) row_places_.begins(rows_, cell_line_);
    if (cells < names_.size()) {
      sink.cell(cells, text_);
    } else if (cells == names_.size()) {
      faults.add(place(), "A cell too many: the header names " + std::to_string(names_.size()) + " columns.");
    }
    ++cells;
    if (end == End::Separator) continue;
    end_row(cells, sink, faults);
    next_line();
    return;
  }
}

void CsvSource::end_row(size_t cells, CellSink& sink, RowFaults& faults) {
  if (cells < names_.size()) {
    faults.add(here(),
               "The row ends after " + std::to_string(cells) + " of " + std::to_string(names_.size()) + " cells.");
  }
  ++rows_;
  sink.end_row();  // a ragged row too: the rows behind it are read for their faults
}

void CsvSource::hand_over_empty_lines(CellSink& sink, RowFaults& faults) {
  const size_t line = cell_line_, column = cell_column_;
  for (size_t i = 0; i < empty_lines_; ++i) {
    cell_line_ = line - empty_lines_ + i, cell_column_ = 1;
    if (names_.size() > 1) {
      faults.add(place(), "The line is empty, and the header names " + std::to_string(names_.size()) + " columns.");
    } else {
      row_places_.begins(rows_++, cell_line_);
      sink.cell(0, "");
      sink.end_row();
    }
  }
  empty_lines_ = 0;
  cell_line_ = line, cell_column_ = column;
}

size_t CsvSource::rows_expected(size_t read) const {
  const uint64_t passed = passed_ + at_;
  if (size_ <= passed || passed == 0) return 0;
  return static_cast<size_t>(static_cast<double>(size_) / static_cast<double>(passed) * static_cast<double>(read));
}

size_t CsvSource::column_of(size_t offset) const {
  return column_base_ + characters_in({data_ + line_start_, offset - line_start_}) + 1;
}

std::string CsvSource::place_of(size_t line, size_t column) const {
  return escaped(shown_) + ", line " + std::to_string(line) + ":" + std::to_string(column);
}

std::string CsvSource::place() const {
  return place_of(cell_line_, cell_column_ > 0 ? cell_column_ : column_of(field_));
}

// The end of the text that was read last, before its line end.
std::string CsvSource::here() const {
  size_t end = at_;
  while (end > line_start_ && (data_[end - 1] == '\n' || data_[end - 1] == '\r')) --end;
  return place_of(line_, column_of(end));
}

void CsvSource::refuse_at(size_t offset, std::string what) const {
  throw Refused(place_of(line_, column_of(offset)), std::move(what));
}

}  // namespace causeway::pipeline
