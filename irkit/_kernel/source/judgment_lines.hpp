// Files of judgments with more columns than qrels have -> rows by topic, then by document.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "number.hpp"
#include "rows.hpp"
#include "text.hpp"

namespace irkit {

// N rows by topic, document and name, all in byte order, then as in the file; D documents, each once in its topic.
struct JudgmentLines {
    std::vector<std::string_view> topics;     // T of them
    std::vector<int64_t> starts{0};           // of T + 1 topics, among the documents
    std::vector<std::string_view> documents;  // D of them
    std::vector<int64_t> document;            // of each row, its place among the documents
    std::vector<std::string_view> names;      // different ones, in byte order
    std::vector<int64_t> name;                // of each row, its place in the names; empty where the file has none
    std::vector<std::vector<int64_t>> wholes;
    std::vector<std::vector<double>> decimals;
};

// Different ids, numbered as they come.
class IdNumbers {
public:
    uint64_t number_of(std::string_view id) {
        if (!ids_.empty() && same(id, ids_[last_])) return last_;
        const auto known = table_.insert(id, ids_.size(), [this](uint64_t place) { return ids_[place]; });
        if (!known) ids_.push_back(id);
        return last_ = known.value_or(ids_.size() - 1);
    }

    // The ids in byte order; `places` gets where each number is then.
    std::vector<std::string_view> ordered(std::vector<uint64_t>& places) const {
        std::vector<uint64_t> order(ids_.size());
        for (uint64_t number = 0; number < order.size(); ++number) order[number] = number;
        std::sort(order.begin(), order.end(), [this](uint64_t one, uint64_t other) { return before(ids_[one], ids_[other]); });
        std::vector<std::string_view> sorted;
        sorted.reserve(order.size());
        places.resize(order.size());
        for (const uint64_t number : order) {
            places[number] = sorted.size();
            sorted.push_back(ids_[number]);
        }
        return sorted;
    }

private:
    std::vector<std::string_view> ids_;
    IdTable table_;
    uint64_t last_ = 0;
};

// The first 8 bytes after `skipped` ones as a number that orders as they do; ids hold no NUL byte.
inline uint64_t leading_word(std::string_view id, std::size_t skipped) {
    uint64_t word = 0;
    for (std::size_t place = skipped; place < skipped + 8; ++place) {
        word = word << 8 | (place < id.size() ? static_cast<unsigned char>(id[place]) : 0U);
    }
    return word;
}

// A finite number, or NA, which becomes nan.
inline bool read_decimal(std::string_view text, double& number) {
    if (text == "NA") {
        number = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    return read_any_score(text, number) && std::isfinite(number);
}

// `kinds`: a letter for each of N fields: t topic, d document, i name, n whole number, f decimal number, - nothing.
template <int N>
class JudgmentReader {
public:
    explicit JudgmentReader(std::string_view kinds) : kinds_(kinds), has_names_(kinds.find('i') != kinds.npos) {}

    // Nothing where a line is not of that kind.
    std::optional<JudgmentLines> read(std::string_view data, unsigned n_threads) {
        const char* const stop = data.data() + data.size();
        if (find(data.data(), stop, '\0')) return std::nullopt;
        wholes_.resize(static_cast<std::size_t>(std::count(kinds_.begin(), kinds_.end(), 'n')));
        decimals_.resize(static_cast<std::size_t>(std::count(kinds_.begin(), kinds_.end(), 'f')));
        for (const char* begin = data.data(); begin < stop;) {
            const auto line = read_line<N + 1>(begin, stop);
            begin = line.end < stop ? line.end + 1 : stop;
            if (line.is_data() && (line.n_edges != 2 * N || !take(line))) return std::nullopt;
        }
        return gathered(n_threads);
    }

private:
    struct Row {
        std::string_view id;
        uint64_t topic, name, number;  // `number`: its place in the file
        uint64_t word = 0;
    };

    bool take(const Line<N + 1>& line) {
        Row row{{}, 0, 0, rows_.size()};
        std::size_t n_wholes = 0, n_decimals = 0;
        for (int field = 0; field < N; ++field) {
            const std::string_view text = line.field(field);
            const char kind = kinds_[static_cast<std::size_t>(field)];
            if (kind == 't') {
                row.topic = topics_.number_of(text);
            } else if (kind == 'd') {
                row.id = text;
            } else if (kind == 'i') {
                row.name = names_.number_of(text);
            } else if (kind == 'n') {
                int64_t number = 0;
                if (!read_grade(text, number)) return false;
                wholes_[n_wholes++].push_back(number);
            } else if (kind == 'f') {
                double number = 0;
                if (!read_decimal(text, number)) return false;
                decimals_[n_decimals++].push_back(number);
            }
        }
        rows_.push_back(row);
        return true;
    }

    JudgmentLines gathered(unsigned n_threads) {
        JudgmentLines lines;
        std::vector<uint64_t> topic_places, name_places;
        lines.topics = topics_.ordered(topic_places);
        if (has_names_) lines.names = names_.ordered(name_places);
        std::vector<uint64_t> first(lines.topics.size() + 1, 0);  // row of each topic
        for (const Row& row : rows_) ++first[topic_places[row.topic] + 1];
        for (std::size_t topic = 1; topic < first.size(); ++topic) first[topic] += first[topic - 1];
        std::vector<uint64_t> next = first;
        std::vector<Row> rows(rows_.size());
        for (const Row& row : rows_) {
            Row& placed = rows[next[topic_places[row.topic]]++];
            placed = row;
            if (has_names_) placed.name = name_places[row.name];
        }
        in_parallel(n_threads, lines.topics.size(), [&](uint64_t topic) {
            sort_topic(rows.data() + first[topic], rows.data() + first[topic + 1]);
        });
        lines.document.reserve(rows.size());
        if (has_names_) lines.name.reserve(rows.size());
        for (std::size_t topic = 0; topic < lines.topics.size(); ++topic) {
            for (uint64_t row = first[topic]; row < first[topic + 1]; ++row) {
                if (row == first[topic] || !same(rows[row].id, lines.documents.back())) lines.documents.push_back(rows[row].id);
                lines.document.push_back(static_cast<int64_t>(lines.documents.size()) - 1);
                if (has_names_) lines.name.push_back(static_cast<int64_t>(rows[row].name));
            }
            lines.starts.push_back(static_cast<int64_t>(lines.documents.size()));
        }
        for (const auto& numbers : wholes_) lines.wholes.push_back(in_order(numbers, rows));
        for (const auto& numbers : decimals_) lines.decimals.push_back(in_order(numbers, rows));
        return lines;
    }

    // Ids of a topic often begin alike: what comes after is compared as a number.
    static void sort_topic(Row* first, Row* end) {
        std::size_t shared = first == end ? 0 : first->id.size();
        for (const Row* row = first; row < end; ++row) {
            const std::size_t most = std::min(shared, row->id.size());
            shared = static_cast<std::size_t>(std::mismatch(row->id.begin(), row->id.begin() + static_cast<std::ptrdiff_t>(most), first->id.begin()).first - row->id.begin());
        }
        for (Row* row = first; row < end; ++row) row->word = leading_word(row->id, shared);
        std::sort(first, end, [](const Row& one, const Row& other) {
            if (one.word != other.word) return one.word < other.word;
            if (!same(one.id, other.id)) return before(one.id, other.id);
            return one.name != other.name ? one.name < other.name : one.number < other.number;
        });
    }

    template <typename Number>
    static std::vector<Number> in_order(const std::vector<Number>& numbers, const std::vector<Row>& rows) {
        std::vector<Number> ordered;
        ordered.reserve(rows.size());
        for (const Row& row : rows) ordered.push_back(numbers[row.number]);
        return ordered;
    }

    std::string_view kinds_;
    bool has_names_;
    IdNumbers topics_, names_;
    std::vector<Row> rows_;
    std::vector<std::vector<int64_t>> wholes_;
    std::vector<std::vector<double>> decimals_;
};

inline std::optional<JudgmentLines> judgment_lines(std::string_view data, std::string_view kinds, unsigned n_threads) {
    if (kinds.size() == 4) return JudgmentReader<4>(kinds).read(data, n_threads);
    return JudgmentReader<5>(kinds).read(data, n_threads);
}

}  // namespace irkit
