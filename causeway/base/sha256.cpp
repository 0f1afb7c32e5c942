#include "causeway/base/sha256.h"

#include <openssl/evp.h>

#include <new>

#include "causeway/base/check.h"

namespace causeway {
namespace {

// Looked up once: EVP_sha256() is looked up again at each start, which takes longer than a short text's hash.
const EVP_MD* algorithm() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  CAUSEWAY_CHECK(found != nullptr, "libcrypto has SHA-256");
  return found;
}

}  // namespace

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();

  State() {
    if (context == nullptr) throw std::bad_alloc();
  }
  ~State() { EVP_MD_CTX_free(context); }
  void start() { CAUSEWAY_CHECK(EVP_DigestInit_ex2(context, algorithm(), nullptr) == 1, "a context starts anew"); }
  void add(const void* bytes, size_t count) {
    CAUSEWAY_CHECK(EVP_DigestUpdate(context, bytes, count) == 1, "nothing is added after finish()");
  }
  Digest finish() {
    Digest digest;
    CAUSEWAY_CHECK(EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1, "finish() is called once");
    return digest;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { state_->start(); }

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) { state_->add(bytes.data(), bytes.size()); }

void Sha256::add_u64(uint64_t number) {
  std::array<std::byte, 8> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(number >> (8 * i) & 0xFF);
  add(bytes);
}

Digest Sha256::finish() { return state_->finish(); }

Digest sha256(std::string_view text) {
  thread_local Sha256
      hash;  // its context is used again, so that a million short texts make a million hashes and no more
  hash.state_->start();
  hash.add(text);
  return hash.finish();
}

std::string hex(std::span<const uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

}  // namespace causeway
