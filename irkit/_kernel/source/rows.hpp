// The documents of a topic: their order, and finding one by its id.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hash.hpp"
#include "number.hpp"
#include "text.hpp"

namespace irkit {

// A document with its score; the id's bytes belong to somebody else.
struct Row {
    const char* text;
    uint64_t size;
    double score;

    std::string_view id() const { return {text, size}; }
};

// trec_eval's order: score falling, then document id falling in bytes.
inline bool ranks_before(const Row& one, const Row& other) {
    if (one.score != other.score) return one.score > other.score;
    return before(other.id(), one.id());
}

// What is wrong in a file, told by Python. `at` is where the bad line begins; ids and texts are cut as they are shown.
struct Problem {
    enum Kind : int { too_few_fields = 1, no_number = 2, twice = 3, nul = 4, fields_not_four = 5, shorter = 6, no_rank = 7, moved = 8 };
    static constexpr std::size_t shown = 81;
    static constexpr std::size_t start = 262;  // of a file with a NUL byte, which may tell what kind of file it is

    Kind kind;
    uint64_t at;
    uint64_t first_at = 0;
    uint64_t line = 0;
    uint64_t first_line = 0;
    uint64_t n_fields = 0;
    std::string text{};
    std::string topic{};
};

// Whether a line of a run has more than six fields and a number for its tag, as where a blank in an id moved its columns.
IRKIT_INLINE bool is_moved(const Line<6>& line) {
    double number = 0;
    return line.n_edges > 12 && read_any_score(line.field(5), number);
}

// A line whose columns are not where they should be: the field that shows it, and the start of the line. The line is read
// again, so that whoever reads all lines has to keep no field that he does not need.
template <int N>
IRKIT_APART Problem misplaced(Problem::Kind kind, int field, const char* begin, const char* end, uint64_t at) {
    Problem problem{kind, at};
    problem.n_fields = count_fields(begin, end);
    problem.text = read_line<N>(begin, end).field(field).substr(0, Problem::shown);
    problem.topic.assign(begin, std::min(static_cast<std::size_t>(end - begin), Problem::shown));
    return problem;
}

// Places of ids in a column, found by their bytes: open addressing, a slot holds 24 bits of the hash and 40 of the place.
class IdTable {
public:
    // Empties the table for about that many ids. Past the slots in use all are empty, so that a small topic after a large
    // one costs little.
    void restart(uint64_t expected) {
        uint64_t capacity = 16;
        while (capacity < 2 * expected) capacity *= 2;
        if (capacity > slots_.size()) {
            slots_.assign(capacity, 0);
        } else {
            std::fill_n(slots_.begin(), mask_ + 1, 0);
        }
        mask_ = capacity - 1;
        n_ids_ = 0;
    }

    // The place where this id stands already; or nothing, and it stands at `place` from now on.
    template <typename IdAt>
    std::optional<uint64_t> insert(std::string_view id, uint64_t place, const IdAt& id_at) {
        return insert(id, hash_of(id), place, id_at);
    }

    template <typename IdAt>
    std::optional<uint64_t> insert(std::string_view id, uint64_t hash, uint64_t place, const IdAt& id_at) {
        if (2 * n_ids_ > mask_) grow(id_at);
        uint64_t slot = hash & mask_;
        for (; slots_[slot]; slot = (slot + 1) & mask_) {
            if ((slots_[slot] ^ hash) >> 40) continue;
            const uint64_t found = (slots_[slot] & low) - 1;
            if (same(id_at(found), id)) return found;
        }
        slots_[slot] = (hash & ~low) | (place + 1);
        ++n_ids_;
        return std::nullopt;
    }

    template <typename IdAt>
    std::optional<uint64_t> find(std::string_view id, uint64_t hash, const IdAt& id_at) const {
        for (uint64_t slot = hash & mask_; slots_[slot]; slot = (slot + 1) & mask_) {
            if ((slots_[slot] ^ hash) >> 40) continue;
            const uint64_t found = (slots_[slot] & low) - 1;
            if (same(id_at(found), id)) return found;
        }
        return std::nullopt;
    }

private:
    static constexpr uint64_t low = (uint64_t{1} << 40) - 1;

    template <typename IdAt>
    void grow(const IdAt& id_at) {
        std::vector<uint64_t> wider(std::max<uint64_t>(16, 4 * (mask_ + 1)), 0);
        const uint64_t mask = wider.size() - 1;
        for (uint64_t old = 0; old <= mask_; ++old) {
            if (!slots_[old]) continue;
            const uint64_t hash = hash_of(id_at((slots_[old] & low) - 1));
            uint64_t slot = hash & mask;
            while (wider[slot]) slot = (slot + 1) & mask;
            wider[slot] = slots_[old];
        }
        slots_ = std::move(wider);
        mask_ = mask;
    }

    std::vector<uint64_t> slots_ = std::vector<uint64_t>(16, 0);
    uint64_t mask_ = 15;
    uint64_t n_ids_ = 0;
};

}  // namespace irkit
