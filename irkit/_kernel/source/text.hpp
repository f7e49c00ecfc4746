// The signs of a text: lines, fields, and ids as whole bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define IRKIT_SSE2 1
#endif

// What is on the way of every line, and what is not.
#if defined(__GNUC__)
#define IRKIT_INLINE inline __attribute__((always_inline))
#define IRKIT_APART inline __attribute__((noinline))
#else
#define IRKIT_INLINE inline
#define IRKIT_APART inline
#endif

namespace irkit {

using std::int64_t;
using std::uint64_t;

// Files, lines, ids and ranks are counted in 64 bits; a machine that has fewer takes the twin.
static_assert(sizeof(std::size_t) == 8);

// Which of 64 signs are blank (space, tab, VT, FF, CR, and LF too), and which are LF; bit 0 is the first sign.
struct Window {
    uint64_t blank;
    uint64_t newline;
};

#ifdef IRKIT_SSE2
IRKIT_INLINE Window window_of_64(const char* text) {
    Window found{0, 0};
    for (int part = 0; part < 4; ++part) {
        const __m128i signs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
        const __m128i from_tab = _mm_sub_epi8(signs, _mm_set1_epi8('\t'));
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8(4)), from_tab);
        const __m128i blank = _mm_or_si128(control, _mm_cmpeq_epi8(signs, _mm_set1_epi8(' ')));
        const __m128i newline = _mm_cmpeq_epi8(signs, _mm_set1_epi8('\n'));
        found.blank |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(blank))) << (16 * part);
        found.newline |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(newline))) << (16 * part);
    }
    return found;
}
#else
IRKIT_INLINE Window window_of_64(const char* text) {
    Window found{0, 0};
    for (int place = 0; place < 64; ++place) {
        const unsigned sign = static_cast<unsigned char>(text[place]);
        found.blank |= static_cast<uint64_t>(sign == ' ' || sign - '\t' <= 4U) << place;
        found.newline |= static_cast<uint64_t>(sign == '\n') << place;
    }
    return found;
}
#endif

// The same near the end of a text, which nothing may be read past: what is not there counts as LF.
IRKIT_INLINE Window window_before(const char* text, const char* stop) {
    if (stop - text >= 64) return window_of_64(text);
    char rest[64];
    std::memset(rest, '\n', sizeof rest);
    if (text < stop) std::memcpy(rest, text, static_cast<std::size_t>(stop - text));
    return window_of_64(rest);
}

// The first LF of a window, alone in its word; 0 where there is none.
IRKIT_INLINE uint64_t first_newline(const Window& window) { return window.newline & (0 - window.newline); }

// The first N fields of a line.
template <int N>
struct Line {
    const char* edge[2 * N];  // where each field begins and ends
    int n_edges;              // 2 N where the line has N fields, 2 N + 1 where it has more
    const char* end;          // its LF, or the end of the text

    std::string_view field(int place) const {
        return {edge[2 * place], static_cast<std::size_t>(edge[2 * place + 1] - edge[2 * place])};
    }
    bool is_data() const { return n_edges > 0 && *edge[0] != '#'; }
};

// The place of the lowest bit of a number that is not 0.
IRKIT_INLINE int lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    return std::countr_zero(bits);
#endif
}

template <int N>
IRKIT_APART Line<N> read_long_line(const char* text, const char* stop) {
    Line<N> line{};
    uint64_t after_blank = 1;
    for (;; text += 64) {
        const Window window = window_before(text, stop);
        const uint64_t newline = first_newline(window);
        const uint64_t blank = window.blank | (0 - newline);  // what follows the line counts as blank
        uint64_t edges = blank ^ (blank << 1 | after_blank);
        while (edges && line.n_edges < 2 * N) {
            line.edge[line.n_edges++] = text + lowest_bit(edges);
            edges &= edges - 1;
        }
        if (edges) line.n_edges = 2 * N + 1;
        if (newline) {
            line.end = text + lowest_bit(newline);
            return line;
        }
        after_blank = blank >> 63;
    }
}

template <int N>
IRKIT_INLINE Line<N> read_line(const char* text, const char* stop) {
    if (stop - text >= 64) [[likely]] {
        const Window window = window_of_64(text);
        const uint64_t newline = first_newline(window);
        const uint64_t blank = window.blank | (0 - newline);
        uint64_t edges[2 * N];  // from the first, the second ... edge on
        edges[0] = blank ^ (blank << 1 | 1);
        for (int number = 1; number < 2 * N; ++number) edges[number] = edges[number - 1] & (edges[number - 1] - 1);
        if (newline && edges[2 * N - 1]) [[likely]] {
            Line<N> line;
            for (int number = 0; number < 2 * N; ++number) line.edge[number] = text + lowest_bit(edges[number]);
            line.n_edges = 2 * N + ((edges[2 * N - 1] & (edges[2 * N - 1] - 1)) != 0);
            line.end = text + lowest_bit(newline);
            return line;
        }
    }
    return read_long_line<N>(text, stop);  // or a line of few fields, or the last ones
}

// All fields of a line.
IRKIT_APART uint64_t count_fields(const char* begin, const char* end) {
    uint64_t n_fields = 0;
    while (begin < end) {
        const auto rest = read_line<1>(begin, end);
        if (rest.n_edges == 0) break;
        begin = rest.edge[1];
        ++n_fields;
    }
    return n_fields;
}

IRKIT_INLINE uint64_t word_at(const char* text) {
    uint64_t word;
    std::memcpy(&word, text, 8);
    return word;
}

IRKIT_INLINE uint32_t half_word_at(const char* text) {
    uint32_t word;
    std::memcpy(&word, text, 4);
    return word;
}

// Up to 8 bytes as one number; together with their count they are known by it.
IRKIT_INLINE uint64_t short_word(std::string_view bytes) {
    const std::size_t size = bytes.size();
    const char* text = bytes.data();
    if (size == 8) return word_at(text);
    if (size >= 4) return half_word_at(text) | static_cast<uint64_t>(half_word_at(text + size - 4)) << 32;
    uint64_t word = 0;
    for (std::size_t place = 0; place < size; ++place) {
        word = word << 8 | static_cast<unsigned char>(text[place]);
    }
    return word;
}

IRKIT_INLINE bool same(std::string_view one, std::string_view other) {
    if (one.size() != other.size()) return false;
    if (one.size() <= 8) return short_word(one) == short_word(other);
    return std::memcmp(one.data(), other.data(), one.size()) == 0;
}

// Order of ids in bytes, the longer one last where one begins the other: what std::string_view has.
inline bool before(std::string_view one, std::string_view other) {
    const std::size_t shared = std::min(one.size(), other.size());
    const int order = shared ? std::memcmp(one.data(), other.data(), shared) : 0;
    return order ? order < 0 : one.size() < other.size();
}

inline uint64_t count_newlines(const char* text, const char* stop) {
    uint64_t n_newlines = 0;
    for (; text < stop; ++text) n_newlines += *text == '\n';
    return n_newlines;
}

inline const char* find(const char* text, const char* stop, char sign) {
    if (text == stop) return nullptr;
    return static_cast<const char*>(std::memchr(text, sign, static_cast<std::size_t>(stop - text)));
}

}  // namespace irkit
