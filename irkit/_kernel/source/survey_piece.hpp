// A piece of a run, faults and all: its topics, what ties or goes against its ranks in them, its tags and its faults.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "number.hpp"
#include "rows.hpp"
#include "text.hpp"
#include "utf8.hpp"

namespace irkit {

// As `LineFault` in columns.py numbers them.
enum class LineFault : uint8_t {
    none = 0,
    nul = 1,
    too_few_fields = 2,
    no_rank = 3,
    no_score = 4,
    moved = 5,
    twice = 6,
    extra_fields = 7,
    not_utf8 = 8,
    infinite = 9,
    no_data = 255,  // a blank line or a comment, which is none
};

struct RankedRow {
    const char* text;
    uint64_t size;
    double score;
    int64_t rank;
    uint64_t line;

    std::string_view id() const { return {text, size}; }
};

// A line of a run: a row, where no fault is told of it.
struct RunLine {
    Line<6> fields;
    const char* next;  // where the line after it begins
    LineFault fault;
    RankedRow row{};
};

// Most files have no NUL byte, and then none is looked for.
IRKIT_INLINE RunLine read_run_line(const char* begin, const char* stop, bool may_have_nul, uint64_t number) {
    const auto fields = read_line<6>(begin, stop);
    RunLine line{fields, fields.end < stop ? fields.end + 1 : stop, LineFault::none};
    if (may_have_nul && find(begin, fields.end, '\0')) [[unlikely]] {
        line.fault = LineFault::nul;
    } else if (!fields.is_data()) [[unlikely]] {
        line.fault = LineFault::no_data;
    } else if (fields.n_edges < 12) [[unlikely]] {
        line.fault = LineFault::too_few_fields;
    } else if (!read_grade(fields.field(3), line.row.rank)) [[unlikely]] {
        line.fault = LineFault::no_rank;
    } else if (!read_score(fields.field(4), line.row.score)) [[unlikely]] {
        line.fault = LineFault::no_score;
    } else if (is_moved(fields)) [[unlikely]] {
        line.fault = LineFault::moved;
    } else {
        line.row.text = fields.field(2).data();
        line.row.size = fields.field(2).size();
        line.row.line = number;
    }
    return line;
}

// Score falling, then rank rising, then document id falling in bytes.
inline bool stands_before(const RankedRow& one, const RankedRow& other) {
    if (one.score != other.score) return one.score > other.score;
    if (one.rank != other.rank) return one.rank < other.rank;
    if (!same(one.id(), other.id())) return before(other.id(), one.id());
    return one.line < other.line;
}

using Pair = std::array<uint64_t, 2>;  // of lines, from 1; 0 where there is none

// What is to be told of a topic.
struct Finding {
    uint64_t topic;
    uint64_t n_tied = 0;
    uint64_t n_tied_float32 = 0;
    Pair misplaced{};
    Pair contradiction{};
};

// The rows of a topic, in the order of the file.
class TopicRows {
public:
    uint64_t size() const { return rows_.size(); }

    void restart() {
        table_.restart(rows_.size());  // as many as there were in the topic before
        rows_.clear();
    }

    // The line where the document stands already; 0 where it does not.
    uint64_t add(const RankedRow& row) {
        const auto known = table_.insert(row.id(), rows_.size(), [this](uint64_t place) { return rows_[place].id(); });
        rows_.push_back(row);
        return known ? rows_[*known].line : 0;
    }

    // Puts the rows in order; none can be added after that.
    std::optional<Finding> finding(uint64_t topic) {
        if (!std::is_sorted(rows_.begin(), rows_.end(), stands_before)) std::sort(rows_.begin(), rows_.end(), stands_before);
        Finding found{topic};
        bool tied = false, tied_float32 = false;  // the upper row with the one above it
        for (std::size_t place = 1; place < rows_.size(); ++place) {
            const RankedRow &upper = rows_[place - 1], &lower = rows_[place];
            const bool ties = upper.score == lower.score;
            found.n_tied += ties ? 2 - tied : 0;
            tied = ties;
            const bool ties_float32 = static_cast<float>(upper.score) == static_cast<float>(lower.score);
            found.n_tied_float32 += ties_float32 ? 2 - tied_float32 : 0;
            tied_float32 = ties_float32;
            // Where neighbours in this order are as they should be, all are.
            if (!ties && upper.rank > lower.rank && !found.contradiction[0]) found.contradiction = {upper.line, lower.line};
            if (ties && upper.rank < lower.rank && !found.misplaced[0] && before(upper.id(), lower.id())) {
                found.misplaced = {upper.line, lower.line};
            }
        }
        if (!found.n_tied_float32 && !found.contradiction[0]) return std::nullopt;  // others come with a tie
        return found;
    }

private:
    std::vector<RankedRow> rows_;
    IdTable table_;
};

// What a piece of a file holds. Lines count from 1, and where lines begin from 0, in the piece; fewer than 2^32 lines
// begin in one, whatever their length.
struct SurveyPiece {
    struct Stretch {        // rows of one topic, one after the other
        const char* topic;  // where the first of them has it
        uint64_t size;      // of the topic's id
        uint32_t line;      // of the first
        uint32_t n_rows;
        std::string_view id() const { return {topic, size}; }
    };
    struct Fault {
        uint32_t line;
        uint32_t start;
        LineFault kind;
    };
    struct Twice {
        uint64_t stretch;
        uint32_t line;
        uint32_t start;
        uint32_t first;
    };
    struct Tag {
        std::string_view text;
        uint32_t line;
        uint32_t n_rows;
    };

    uint64_t begin = 0, end = 0;  // in the file
    uint64_t n_lines_before = 0;
    uint64_t n_lines = 0;
    bool may_have_nul = false;
    std::vector<Stretch> stretches;
    std::vector<Finding> findings;  // of stretches
    std::vector<Fault> faults;      // all but TWICE
    std::vector<Twice> twice;
    std::vector<Tag> tags;          // different ones as they come
};

// Reads pieces, one after the other.
class PieceSurveyor {
public:
    explicit PieceSurveyor(std::string_view data) : data_(data) {}

    void read(SurveyPiece& piece) {
        const char* const first = data_.data() + piece.begin;
        const char* const end = data_.data() + piece.end;
        const char* const stop = data_.data() + data_.size();
        const std::string_view text = data_.substr(piece.begin, piece.end - piece.begin);
        piece.may_have_nul = find(first, end, '\0');
        const bool all_ascii = is_ascii(text);
        tags_.restart(0);
        uint64_t tag = 0;
        uint32_t number = 0;
        for (const char* begin = first; begin < end;) {
            const RunLine line = read_run_line(begin, stop, piece.may_have_nul, ++number);
            const auto start = static_cast<uint32_t>(begin - first);
            const auto add = [&](LineFault kind) { piece.faults.push_back({number, start, kind}); };
            begin = line.next;
            if (line.fault != LineFault::none) [[unlikely]] {
                if (line.fault != LineFault::no_data) add(line.fault);
                continue;
            }
            const std::string_view topic = line.fields.field(0), label = line.fields.field(5);
            if (piece.stretches.empty() || !same(topic, piece.stretches.back().id())) {
                end_stretch(piece);
                piece.stretches.push_back({topic.data(), topic.size(), number, 0});
            }
            ++piece.stretches.back().n_rows;
            if (const uint64_t twin = rows_.add(line.row)) [[unlikely]] {
                piece.twice.push_back({piece.stretches.size() - 1, number, start, static_cast<uint32_t>(twin)});
            }
            if (line.fields.n_edges > 12) add(LineFault::extra_fields);
            if (!all_ascii && !(is_utf8(topic) && is_utf8(line.row.id()) && is_utf8(label))) add(LineFault::not_utf8);
            if (std::isinf(line.row.score)) [[unlikely]] add(LineFault::infinite);
            if (piece.tags.empty() || !same(label, piece.tags[tag].text)) tag = place_of(label, number, piece);
            ++piece.tags[tag].n_rows;
        }
        end_stretch(piece);
        piece.n_lines = number;
    }

private:
    void end_stretch(SurveyPiece& piece) {
        if (!rows_.size()) return;
        if (const auto found = rows_.finding(piece.stretches.size() - 1)) piece.findings.push_back(*found);
        rows_.restart();
    }

    uint64_t place_of(std::string_view tag, uint32_t line, SurveyPiece& piece) {
        const auto known = tags_.insert(tag, piece.tags.size(), [&](uint64_t place) { return piece.tags[place].text; });
        if (!known) piece.tags.push_back({tag, line, 0});
        return known.value_or(piece.tags.size() - 1);
    }

    std::string_view data_;
    TopicRows rows_;
    IdTable tags_;
};

}  // namespace irkit
