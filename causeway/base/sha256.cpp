#include "causeway/base/sha256.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <bit>
#include <new>

#include "causeway/base/check.h"

namespace causeway {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();

  State() {
    if (context == nullptr) throw std::bad_alloc();
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  CAUSEWAY_CHECK(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1, "libcrypto has SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  CAUSEWAY_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1, "nothing is added after finish()");
}

void Sha256::add_u64(uint64_t number) {
  std::array<std::byte, 8> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(number >> (8 * i) & 0xFF);
  add(bytes);
}

Digest Sha256::finish() {
  Digest digest;
  CAUSEWAY_CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), nullptr) == 1, "finish() is called once");
  return digest;
}

namespace {

constexpr size_t kBlock = 64, kLength = 8;

// One block is one call: starting, padding and finishing a context take longer than that. What OpenSSL 3 deprecates
// here is the door, not the arithmetic.
Digest hash_of_one_block(std::string_view text) {
  std::array<uint8_t, kBlock> block = {};
  std::copy(text.begin(), text.end(), block.begin());
  block[text.size()] = 0x80;
  const size_t bits = text.size() * 8;
  block[kBlock - 2] = static_cast<uint8_t>(bits >> 8);
  block[kBlock - 1] = static_cast<uint8_t>(bits);
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Transform(&state, block.data());
  std::array<uint32_t, 8> words;  // big-endian in the digest
  for (size_t i = 0; i < words.size(); ++i) words[i] = __builtin_bswap32(state.h[i]);
  return std::bit_cast<Digest>(words);
}

}  // namespace

Digest sha256(std::string_view text) {
  if (text.size() < kBlock - kLength) return hash_of_one_block(text);
  Sha256 hash;
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
