// Numbers of a line, read exactly as Python's float() and int() read them.
#pragma once

#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <version>

#include "text.hpp"

#if !defined(__cpp_lib_to_chars) || __cpp_lib_to_chars < 201611L
#include <clocale>
#include <cstdlib>
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#endif

namespace irkit {

#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
// A decimal number without its sign, correctly rounded. `large`: which way it goes where a double cannot hold it.
inline double rounded(std::string_view digits, bool large) {
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec == std::errc::result_out_of_range) return large ? std::numeric_limits<double>::infinity() : 0.0;
    return value;
}
#else
inline double rounded(std::string_view digits, bool) {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    return strtod_l(std::string(digits).c_str(), nullptr, plain);
}
#endif

inline bool is_digit(char sign) { return static_cast<unsigned char>(sign - '0') < 10; }

inline bool is_word(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) return false;
    for (std::size_t place = 0; place < text.size(); ++place) {
        if ((text[place] | 0x20) != lower[place]) return false;
    }
    return true;
}

inline constexpr double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Up to 8 signs of which one may be a point and the others are digits, as they stand before `stop`: their number without
// the point, and how many digits follow it. The 8 bytes before `stop` can be read. False where there is something else.
IRKIT_INLINE bool read_short(const char* stop, uint64_t size, uint64_t& number, uint64_t& n_after_point) {
    if constexpr (std::endian::native != std::endian::little) return false;
    constexpr uint64_t ones = 0x0101010101010101U, zeros = 0x30 * ones, tops = 0x80 * ones;
    const uint64_t n_others = 8 * (8 - size);  // bits of what stands before the signs
    uint64_t word = word_at(stop - 8) >> n_others;
    // A point, if there is one, goes out, and the digits before it move up to those after it.
    const uint64_t no_point = word ^ '.' * ones;
    const uint64_t point = (no_point - ones) & ~no_point & tops;
    n_after_point = 0;
    uint64_t n_gone = n_others;
    if (point) {
        const auto n_before = static_cast<uint64_t>(lowest_bit(point)) - 7;  // bits
        const uint64_t before = word & ((uint64_t{1} << n_before) - 1);
        n_after_point = size - 1 - n_before / 8;
        word = (word >> n_before >> 8 << n_before) | before;
        n_gone += 8;
        if (n_gone == 64) return false;
    }
    word = word << n_gone | (zeros & ((uint64_t{1} << n_gone) - 1));
    if (((word + 0x46 * ones) | (word - zeros)) & tops) return false;
    word -= zeros;
    word = word * 10 + (word >> 8);  // pairs of digits, in every second byte
    constexpr uint64_t every_fourth = 0x000000FF000000FFU;
    const uint64_t high = (word & every_fourth) * (100 + (uint64_t{1000000} << 32));
    const uint64_t low = (word >> 16 & every_fourth) * (1 + (uint64_t{10000} << 32));
    number = (high + low) >> 32;
    return true;
}

// A score: sign, digits with at most one point, exponent; or inf, infinity. False where it is none of these.
IRKIT_APART bool read_any_score(std::string_view text, double& score) {
    constexpr int64_t far = int64_t{1} << 40;
    const char* sign = text.data();
    const char* const stop = sign + text.size();
    const bool negative = sign < stop && *sign == '-';
    if (sign < stop && (*sign == '-' || *sign == '+')) ++sign;
    const char* const first = sign;
    uint64_t mantissa = 0;
    while (sign < stop && is_digit(*sign)) mantissa = mantissa * 10 + static_cast<uint64_t>(*sign++ - '0');
    const char* const point = sign;
    int64_t n_digits = sign - first;
    int64_t exponent = 0;
    if (sign < stop && *sign == '.') {
        ++sign;
        while (sign < stop && is_digit(*sign)) mantissa = mantissa * 10 + static_cast<uint64_t>(*sign++ - '0');
        exponent = -(sign - point - 1);
        n_digits -= exponent;
    }
    if (n_digits == 0) {
        const std::string_view word(first, static_cast<std::size_t>(stop - first));
        if (!is_word(word, "inf") && !is_word(word, "infinity")) return false;
        score = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        return true;
    }
    const char* const digits_end = sign;
    if (sign < stop && (*sign | 0x20) == 'e') {
        ++sign;
        const bool down = sign < stop && *sign == '-';
        if (sign < stop && (*sign == '-' || *sign == '+')) ++sign;
        if (sign == stop) return false;
        int64_t written = 0;
        for (; sign < stop && is_digit(*sign); ++sign) written = std::min(written * 10 + (*sign - '0'), far);
        exponent += down ? -written : written;
    }
    if (sign != stop) return false;
    double value;
    // With 19 digits or fewer the mantissa has not overflowed; below 2^53 both it and the power are exact doubles, so
    // that one operation rounds once (Clinger 1990).
    if (n_digits <= 19 && mantissa <= uint64_t{1} << 53 && exponent >= -22 && exponent <= 22 && FLT_EVAL_METHOD == 0) {
        value = static_cast<double>(mantissa);
        value = exponent < 0 ? value / power_of_ten[-exponent] : value * power_of_ten[exponent];
    } else {
        const char* leading = first;
        while (leading < digits_end && (*leading == '0' || *leading == '.')) ++leading;
        if (leading == digits_end) {
            value = 0.0;
        } else {
            // The place of the first digit that counts, as a power of ten.
            const int64_t place = exponent + (leading < point ? point - leading : point + 1 - leading) +
                                  (point < digits_end ? digits_end - point - 1 : 0);
            value = rounded({first, static_cast<std::size_t>(stop - first)}, place > 0);
        }
    }
    score = negative ? -value : value;
    return true;
}

// The same for scores as they mostly are, such as 12.3456. The 8 bytes before the text's end can be read, since other
// fields of its line come first.
IRKIT_INLINE bool read_score(std::string_view text, double& score) {
    const uint64_t negative = text.front() == '-';
    const uint64_t size = text.size() - negative;
    uint64_t number = 0, n_after_point = 0;
    if (size - 1 < 8 && FLT_EVAL_METHOD == 0 && read_short(text.data() + text.size(), size, number, n_after_point)) {
        const double value = static_cast<double>(static_cast<int64_t>(number)) / power_of_ten[n_after_point];
        score = negative ? -value : value;
        return true;
    }
    return read_any_score(text, score);
}

// A grade: sign, digits, and at most a point with zeros after it; within 63 bits. False where it is none of these.
inline bool read_grade(std::string_view text, int64_t& grade) {
    const char* sign = text.data();
    const char* const stop = sign + text.size();
    const bool negative = sign < stop && *sign == '-';
    if (sign < stop && (*sign == '-' || *sign == '+')) ++sign;
    if (sign == stop || !is_digit(*sign)) return false;
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    int64_t value = 0;
    for (; sign < stop && is_digit(*sign); ++sign) {
        const int64_t digit = *sign - '0';
        if (value > (most - digit) / 10) return false;
        value = value * 10 + digit;
    }
    if (sign < stop && *sign == '.') {
        ++sign;
        while (sign < stop && *sign == '0') ++sign;
    }
    if (sign != stop) return false;
    grade = negative ? -value : value;
    return true;
}

// A rank of more than four signs, or one that is no plain number.
IRKIT_APART bool is_other_rank(std::string_view text) {
    int64_t rank = 0;
    return read_grade(text, rank);
}

// Whether a text is a rank: a whole number as `read_grade` has it. Ranks of up to four digits, as nearly all are, are seen
// at once; the 4 bytes before the text's end can be read, since three fields of its line come first.
IRKIT_INLINE bool is_rank(std::string_view text) {
    const std::size_t size = text.size();
    if (size > 4) [[unlikely]] return is_other_rank(text);
    // The bytes of a word that are the text's; those that are none become 0, which is a digit here.
    static constexpr uint32_t little[] = {0, 0xFF000000U, 0xFFFF0000U, 0xFFFFFF00U, 0xFFFFFFFFU};
    static constexpr uint32_t big[] = {0, 0xFFU, 0xFFFFU, 0xFFFFFFU, 0xFFFFFFFFU};
    constexpr auto& its = std::endian::native == std::endian::little ? little : big;
    const uint32_t digits = (half_word_at(text.data() + size - 4) ^ 0x30303030U) & its[size];
    if (((digits | (digits + 0x76767676U)) & 0x80808080U) == 0) [[likely]] return true;
    return is_other_rank(text);
}

}  // namespace irkit
