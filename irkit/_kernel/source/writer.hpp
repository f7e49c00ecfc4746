// Runs as lines of text, scores as Python's repr() writes them.
#pragma once

#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <version>

#include "text.hpp"

namespace irkit {

// The fewest digits that read back equal, as d.ddde+xx.
inline std::string_view shortest(double score, char (&digits)[40]) {
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
    const char* const stop = std::to_chars(digits, digits + sizeof digits, score, std::chars_format::scientific).ptr;
    return {digits, static_cast<std::size_t>(stop - digits)};
#else
    int size = 0;
    for (int precision = 0; precision < 17; ++precision) {
        size = std::snprintf(digits, sizeof digits, "%.*e", precision, score);
        if (std::strtod(digits, nullptr) == score) break;
    }
    return {digits, static_cast<std::size_t>(size)};
#endif
}

// A score of up to six digits after the point, as most have. Of the decimals with 15 digits or fewer only one can read
// back equal, so this one is also the shortest. False for any other score.
inline bool append_short_score(std::string& text, double score) {
    const double size = std::fabs(score);
    if (!(size < 1e9) || (size < 1e-4 && size > 0)) return false;
    const double scaled = std::nearbyint(size * 1e6);
    if (scaled / 1e6 != size || FLT_EVAL_METHOD != 0) return false;
    const auto number = static_cast<uint64_t>(scaled);
    char shown[24];
    char* stop = shown;
    if (std::signbit(score)) *stop++ = '-';
    stop = std::to_chars(stop, shown + sizeof shown, number / 1000000).ptr;
    *stop++ = '.';
    const uint64_t fraction = number % 1000000;
    for (uint64_t unit = 100000; unit; unit /= 10) *stop++ = static_cast<char>('0' + fraction / unit % 10);
    while (stop[-1] == '0' && stop[-2] != '.') --stop;
    text.append(shown, static_cast<std::size_t>(stop - shown));
    return true;
}

inline void append_score(std::string& text, double score) {
    if (append_short_score(text, score)) return;
    if (std::isinf(score)) {
        text += score < 0 ? "-inf" : "inf";
        return;
    }
    char buffer[40];
    std::string_view shown = shortest(score, buffer);
    if (shown.front() == '-') {
        text += '-';
        shown.remove_prefix(1);
    }
    const std::size_t mark = shown.find('e');
    int exponent = 0;
    for (const char sign : shown.substr(mark + 2)) exponent = exponent * 10 + (sign - '0');
    if (shown[mark + 1] == '-') exponent = -exponent;
    // The digits alone, in one piece, where they stand.
    if (mark > 2) buffer[1 + (shown.data() - buffer)] = shown[0];
    const std::string_view digits = mark > 2 ? shown.substr(1, mark - 1) : shown.substr(0, 1);
    const auto n_digits = static_cast<int>(digits.size());
    // repr() takes an exponent for what is below 1e-4, or 1e16 and above.
    if (exponent < -4 || exponent >= 16) {
        text += digits[0];
        if (n_digits > 1) (text += '.').append(digits, 1);
        const int size = std::abs(exponent);
        (text += 'e') += exponent < 0 ? '-' : '+';
        if (size < 10) text += '0';
        text += std::to_string(size);
    } else if (exponent < 0) {
        text += "0.";
        text.append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    } else if (n_digits <= exponent + 1) {
        text.append(digits).append(static_cast<std::size_t>(exponent + 1 - n_digits), '0').append(".0");
    } else {
        const auto n_whole = static_cast<std::size_t>(exponent) + 1;
        text.append(digits, 0, n_whole).append(1, '.').append(digits, n_whole);
    }
}

// 'topic Q0 document rank score tag', ranks from 1.
inline void append_line(std::string& text, std::string_view topic, std::string_view document, int64_t rank, double score,
                        std::string_view tag) {
    char shown[24];
    const auto size = static_cast<std::size_t>(std::to_chars(shown, shown + sizeof shown, rank).ptr - shown);
    text.append(topic).append(" Q0 ").append(document).append(1, ' ').append(shown, size).append(1, ' ');
    append_score(text, score);
    text.append(1, ' ').append(tag).append(1, '\n');
}

// Whether an id can be a field of a line.
inline bool is_field(std::string_view id) {
    if (id.empty()) return false;
    for (const char sign : id) {
        const auto code = static_cast<unsigned char>(sign);
        if (code == ' ' || code - 9U <= 4U || code == 0) return false;
    }
    return true;
}

}  // namespace irkit
