// Hashes of ids. Where two ids differ is always decided by `same`; a hash only says where to look.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <random>
#include <string_view>

#include "text.hpp"

namespace irkit {

// Another number in every process, so that nobody can make a file whose ids all have one hash: looking one up would take
// as long as going through all of them.
inline uint64_t secret_number() {
    try {
        std::random_device source;
        return static_cast<uint64_t>(source()) << 32 ^ source() ^ 0x9E3779B97F4A7C15U;
    } catch (const std::exception&) {  // no source of chance: the clock is the best there is
        return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) * 0x9E3779B97F4A7C15U;
    }
}

inline const uint64_t first_secret = secret_number();
inline const uint64_t second_secret = secret_number() | 1;

// The halves of a product of 128 bits, one upon the other: every bit of it hangs on every bit of both numbers.
IRKIT_INLINE uint64_t folded(uint64_t one, uint64_t other) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(one) * other;
    return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
#else
    constexpr uint64_t half = 0xFFFFFFFFU;
    const uint64_t low = (one & half) * (other & half), left = (one >> 32) * (other & half);
    const uint64_t middle = (one & half) * (other >> 32) + (low >> 32) + (left & half);
    const uint64_t high = (one >> 32) * (other >> 32) + (left >> 32) + (middle >> 32);
    return high ^ (middle << 32 | (low & half));
#endif
}

IRKIT_INLINE uint64_t hash_of(std::string_view bytes) {
    uint64_t hash = first_secret ^ bytes.size();
    if (bytes.size() <= 8) return folded(hash ^ short_word(bytes), second_secret);
    std::size_t place = 0;
    for (; place + 8 < bytes.size(); place += 8) hash = folded(hash ^ word_at(bytes.data() + place), second_secret);
    return folded(hash ^ word_at(bytes.data() + bytes.size() - 8), second_secret);
}

}  // namespace irkit
