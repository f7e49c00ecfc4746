// Whether bytes are UTF-8, as Python has it.
#pragma once

#include <cstdint>
#include <string_view>

#include "text.hpp"

namespace irkit {

// Whether no byte is beyond 127; what is so is UTF-8 too.
inline bool is_ascii(std::string_view text) {
    constexpr uint64_t tops = 0x8080808080808080U;
    const char* sign = text.data();
    const char* const stop = sign + text.size();
    uint64_t found = 0;
    for (; stop - sign >= 32; sign += 32) {
        found |= word_at(sign) | word_at(sign + 8) | word_at(sign + 16) | word_at(sign + 24);
    }
    for (; sign < stop; ++sign) found |= static_cast<unsigned char>(*sign);
    return !(found & tops);
}

// No form longer than it need be, no half of a surrogate pair, nothing beyond U+10FFFF.
inline bool is_utf8(std::string_view text) {
    const auto byte = [text](std::size_t place) -> unsigned {
        return place < text.size() ? static_cast<unsigned char>(text[place]) : 0;
    };
    for (std::size_t place = 0; place < text.size();) {
        const unsigned lead = byte(place);
        if (lead < 0x80) {
            ++place;
            continue;
        }
        const std::size_t n_more = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 0;
        if (n_more == 0) return false;
        // The second byte is what rules out the forms that are not allowed.
        const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (byte(place + 1) < least || byte(place + 1) > most) return false;
        for (std::size_t number = 2; number <= n_more; ++number) {
            if (byte(place + number) < 0x80 || byte(place + number) > 0xBF) return false;
        }
        place += 1 + n_more;
    }
    return true;
}

}  // namespace irkit
