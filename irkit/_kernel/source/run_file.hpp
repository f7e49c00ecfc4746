// A run in a file that can be read anywhere -> columns: pieces of the file on several threads, then topics.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "file.hpp"

namespace irkit {

// The rows of the lines that begin in a piece of a file; ids end to end.
struct PieceOfRun {
    struct Part {
        std::string topic;
        uint64_t first_row;
    };
    std::vector<Part> parts;
    std::string ids;
    std::vector<uint32_t> offsets{0};
    std::vector<double> scores;
    std::string tag;

    Row row(uint64_t place) const { return {ids.data() + offsets[place], offsets[place + 1] - offsets[place], scores[place]}; }

    // Takes whole lines; false where one has a fault.
    bool take(std::string_view lines);
};

inline bool PieceOfRun::take(std::string_view lines) {
    const char* const stop = lines.data() + lines.size();
    if (find(lines.data(), stop, '\0')) return false;
    const uint64_t expected = expected_lines(lines);
    offsets.reserve(expected + 1);
    scores.reserve(expected);
    std::string_view last_tag;
    for (const char* begin = lines.data(); begin < stop;) {
        const auto line = read_line<6>(begin, stop);
        begin = line.end < stop ? line.end + 1 : stop;
        if (!line.is_data()) continue;
        double score = 0;
        if (line.n_edges < 12 || !is_rank(line.field(3)) || !read_score(line.field(4), score) || is_moved(line)) return false;
        const std::string_view topic = line.field(0), id = line.field(2);
        if (parts.empty() || !same(topic, parts.back().topic)) parts.push_back({std::string(topic), scores.size()});
        if (id.size() > std::numeric_limits<uint32_t>::max() - ids.size()) return false;
        ids.append(id);
        offsets.push_back(static_cast<uint32_t>(ids.size()));
        scores.push_back(score);
        last_tag = line.field(5);
    }
    tag = last_tag;
    return true;
}

// Reads the lines that begin in a piece of a file.
class LineReader {
public:
    explicit LineReader(const Source& source) : source_(source) {}

    // Those that begin at `begin` or behind it, and before `limit`; valid until the next call.
    std::string_view read(uint64_t begin, uint64_t limit) {
        const bool is_first = begin == source_.first;
        start_ = is_first ? begin : begin - 1;  // an LF there ends the line before
        size_ = 0;
        more(limit - start_);
        const char* first = bytes_.data();
        if (!is_first) {
            const char* const newline = find(first, first + size_, '\n');
            if (!newline) return {};
            first = newline + 1;
        }
        const auto n_before = static_cast<uint64_t>(first - bytes_.data());
        if (n_before == size_) return {};
        while (bytes_[size_ - 1] != '\n' && start_ + size_ < source_.size) {
            const uint64_t n_seen = size_;
            more(std::min(std::max(size_, least), source_.size - start_ - size_));
            const char* const newline = find(bytes_.data() + n_seen, bytes_.data() + size_, '\n');
            if (newline) size_ = static_cast<uint64_t>(newline + 1 - bytes_.data());
        }
        return std::string_view(bytes_).substr(n_before, size_ - n_before);
    }

private:
    static constexpr uint64_t least = 4096;  // bytes

    void more(uint64_t n_more) {
        if (bytes_.size() < size_ + n_more) bytes_.resize(size_ + n_more);
        source_.read(bytes_.data() + size_, n_more, start_ + size_);
        size_ += n_more;
    }

    const Source& source_;
    std::string bytes_;
    uint64_t start_ = 0;  // of the bytes in the file
    uint64_t size_ = 0;   // bytes that are read
};

// A file of a run, read once. It is sound where no line has a fault, no document stands twice in a topic, and there is a row.
class RunFile {
public:
    RunFile(const Source& source, uint64_t piece, unsigned n_threads) : n_threads_(n_threads) {
        pieces_.resize((source.size - source.first + piece - 1) / piece);
        std::atomic<uint64_t> next{0};
        std::atomic<bool> sound{true};
        in_parallel(n_threads, std::min<uint64_t>(n_threads, pieces_.size()), [&](uint64_t) {
            LineReader reader(source);
            for (uint64_t number = next++; number < pieces_.size() && sound; number = next++) {
                const uint64_t begin = source.first + number * piece;
                if (!pieces_[number].take(reader.read(begin, std::min(begin + piece, source.size)))) sound = false;
            }
        });
        if (sound) gather();
    }

    bool is_sound() const { return !topics_.topics.empty() && is_sound_; }
    const std::vector<std::string_view>& topics() const { return topics_.topics; }
    std::vector<int64_t>& starts() { return starts_; }
    uint64_t n_rows() const { return static_cast<uint64_t>(starts_.back()); }
    uint64_t n_bytes() const { return id_starts_.back(); }
    std::string_view tag() const { return tag_; }

    // Fills the columns: N ids end to end, N + 1 offsets, N scores, each topic ranked.
    void fill(char* ids, int64_t* offsets, double* scores) {
        const uint64_t n_topics = topics_.topics.size(), n_parts = std::min<uint64_t>(n_threads_, n_topics);
        std::atomic<bool> sound{true};
        offsets[0] = 0;
        in_parallel(n_threads_, n_parts, [&](uint64_t part) {
            std::vector<Row> rows;
            IdTable table;
            for (uint64_t topic = n_topics * part / n_parts; topic < n_topics * (part + 1) / n_parts && sound; ++topic) {
                if (!rank(topic, rows, table)) sound = false;
                char* to = ids + id_starts_[topic];
                auto number = static_cast<uint64_t>(starts_[topic]);
                for (const Row& row : rows) {
                    std::memcpy(to, row.text, row.size);
                    to += row.size;
                    scores[number] = row.score;
                    offsets[++number] = to - ids;
                }
            }
        });
        is_sound_ = sound;
    }

private:
    // Rows of one topic that follow each other in a piece.
    struct Span {
        const PieceOfRun* piece;
        uint64_t first;
        uint64_t end;
    };

    void gather() {
        Gatherer<Span> gatherer;
        for (const PieceOfRun& piece : pieces_) {
            for (std::size_t number = 0; number < piece.parts.size(); ++number) {
                const bool is_last = number + 1 == piece.parts.size();
                const uint64_t end = is_last ? piece.scores.size() : piece.parts[number + 1].first_row;
                gatherer.add(piece.parts[number].topic, {&piece, piece.parts[number].first_row, end});
            }
            if (!piece.parts.empty()) tag_ = piece.tag;
        }
        topics_ = gatherer.gathered();
        for (std::size_t topic = 0; topic < topics_.topics.size(); ++topic) {
            uint64_t n_rows = 0, n_bytes = 0;
            for (int64_t place = topics_.starts[topic]; place < topics_.starts[topic + 1]; ++place) {
                const Span& span = topics_.rows[static_cast<uint64_t>(place)];
                n_rows += span.end - span.first;
                n_bytes += span.piece->offsets[span.end] - span.piece->offsets[span.first];
            }
            starts_.push_back(starts_.back() + static_cast<int64_t>(n_rows));
            id_starts_.push_back(id_starts_.back() + n_bytes);
        }
    }

    // The ranked rows of a topic; false where a document stands in it twice.
    bool rank(uint64_t topic, std::vector<Row>& rows, IdTable& table) const {
        rows.clear();
        for (int64_t place = topics_.starts[topic]; place < topics_.starts[topic + 1]; ++place) {
            const Span& span = topics_.rows[static_cast<uint64_t>(place)];
            for (uint64_t row = span.first; row < span.end; ++row) rows.push_back(span.piece->row(row));
        }
        table.restart(rows.size());
        const auto id_at = [&rows](uint64_t place) { return rows[place].id(); };
        for (uint64_t row = 0; row < rows.size(); ++row) {
            if (table.insert(rows[row].id(), row, id_at)) return false;
        }
        if (!std::is_sorted(rows.begin(), rows.end(), ranks_before)) std::sort(rows.begin(), rows.end(), ranks_before);
        return true;
    }

    unsigned n_threads_;
    std::vector<PieceOfRun> pieces_;
    Columns<Span> topics_;
    std::vector<int64_t> starts_{0};
    std::vector<uint64_t> id_starts_{0};
    std::string_view tag_;
    bool is_sound_ = true;
};

}  // namespace irkit
