#pragma once

// base/ holds what every room needs and what knows nothing of tensors or networks: faults and refusals, names made safe
// to show, sizes checked before memory is taken, bytes read one by one, JSON with its places, SHA-256 and the counted
// random numbers. Nothing here opens a model or computes one.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace causeway {

/// One thing that does not fit: the place, in the words of the file or caller, and a full sentence of what is there,
/// what was expected and, where there is one, the way out.
struct Fault {
  std::string where, what;

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Thrown for whatever a file or a user can cause, once, with every fault found and nothing changed.
class Refused : public std::runtime_error {
 public:
  explicit Refused(std::vector<Fault> faults);
  Refused(std::string where, std::string what) : Refused({Fault{std::move(where), std::move(what)}}) {}

  const std::vector<Fault>& faults() const noexcept { return faults_; }

 private:
  std::vector<Fault> faults_;
};

/// A rule that cannot be met, said by code that does not know the place. Whoever holds the place catches it and adds
/// `where`; it never leaves the library.
class Unfit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void unfit(std::string what);

/// Throws Refused if there is a fault, and does nothing otherwise.
void refuse_if_any(std::vector<Fault> faults);

/// Text put together from pieces, for messages: numbers print so that they read back the same.
std::string text_of(double number);
std::string text_of(float number);

}  // namespace causeway
