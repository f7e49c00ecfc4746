// Whole files in memory -> columns: topics in byte order, their rows end to end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "number.hpp"
#include "rows.hpp"
#include "text.hpp"

namespace irkit {

// Does `work(number)` for every number below n, on several threads where they can be had.
template <typename Work>
void in_parallel(unsigned n_threads, uint64_t n, const Work& work) {
    const uint64_t n_parts = std::min<uint64_t>(std::max(n_threads, 1U), std::max<uint64_t>(n, 1));
    std::vector<std::exception_ptr> failures(n_parts);
    const auto part = [&](uint64_t number) {
        try {
            for (uint64_t item = n * number / n_parts; item < n * (number + 1) / n_parts; ++item) work(item);
        } catch (...) {
            failures[number] = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(n_parts);
    for (uint64_t number = 1; number < n_parts; ++number) {
        try {
            threads.emplace_back(part, number);
        } catch (const std::exception&) {  // no more threads, or no more memory for one
            part(number);
        }
    }
    part(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

// Rows of T topics: topic t has the rows starts[t] up to starts[t + 1].
template <typename RowType>
struct Columns {
    std::vector<std::string_view> topics;
    std::vector<int64_t> starts{0};
    std::vector<RowType> rows;
    std::string_view tag;
    std::optional<Problem> problem;
};

struct GradedRow {
    const char* text;
    uint64_t size;
    int64_t grade;

    std::string_view id() const { return {text, size}; }
};

// Rows in the order of the file, gathered by topic.
template <typename RowType>
class Gatherer {
public:
    void reserve(uint64_t n_rows) { rows_.reserve(n_rows); }

    // Topics and rows as they come; `topic` is often the one before.
    void add(std::string_view topic, const RowType& row) {
        if (spans_.empty() || !same(topic, topics_[spans_.back().topic])) {
            const auto known = places_.insert(topic, topics_.size(), [this](uint64_t place) { return topics_[place]; });
            if (!known) {
                topics_.push_back(topic);
                lengths_.push_back(0);
            }
            spans_.push_back({known.value_or(topics_.size() - 1), rows_.size()});
        }
        ++lengths_[spans_.back().topic];
        rows_.push_back(row);
    }

    Columns<RowType> gathered() {
        Columns<RowType> columns;
        std::vector<uint64_t> order(topics_.size());
        for (uint64_t place = 0; place < order.size(); ++place) order[place] = place;
        std::sort(order.begin(), order.end(), [this](uint64_t one, uint64_t other) { return before(topics_[one], topics_[other]); });
        std::vector<uint64_t> next(topics_.size());
        for (const uint64_t place : order) {
            columns.topics.push_back(topics_[place]);
            next[place] = static_cast<uint64_t>(columns.starts.back());
            columns.starts.push_back(columns.starts.back() + lengths_[place]);
        }
        const bool in_place = std::is_sorted(order.begin(), order.end()) && spans_.size() == topics_.size();
        if (in_place) {
            columns.rows = std::move(rows_);
            return columns;
        }
        columns.rows.resize(rows_.size());
        for (std::size_t number = 0; number < spans_.size(); ++number) {
            const uint64_t end = number + 1 < spans_.size() ? spans_[number + 1].first_row : rows_.size();
            uint64_t& to = next[spans_[number].topic];
            for (uint64_t row = spans_[number].first_row; row < end; ++row) columns.rows[to++] = rows_[row];
        }
        return columns;
    }

private:
    struct Span {
        uint64_t topic;
        uint64_t first_row;
    };
    std::vector<std::string_view> topics_;
    std::vector<int64_t> lengths_;
    std::vector<RowType> rows_;
    std::vector<Span> spans_;
    IdTable places_;
};

// The beginning of the line in which a sign stands.
inline uint64_t line_start(std::string_view data, const char* sign) {
    while (sign > data.data() && sign[-1] != '\n') --sign;
    return static_cast<uint64_t>(sign - data.data());
}

// A row whose document stands in its topic already, and the row where.
struct Twice {
    uint64_t row;
    uint64_t first;
};

// The first of a topic; `table` is for its documents.
template <typename RowType>
std::optional<Twice> twice_in_topic(const Columns<RowType>& columns, uint64_t topic, IdTable& table) {
    const auto first = static_cast<uint64_t>(columns.starts[topic]);
    const auto end = static_cast<uint64_t>(columns.starts[topic + 1]);
    const auto id_at = [&columns](uint64_t place) { return columns.rows[place].id(); };
    table.restart(end - first);
    for (uint64_t row = first; row < end; ++row) {
        if (const auto twin = table.insert(id_at(row), row, id_at)) return Twice{row, *twin};
    }
    return std::nullopt;
}

// The first document that stands twice in a topic, over all topics; `known` is a problem of a line found before.
template <typename RowType>
void find_twice(std::string_view data, const Columns<RowType>& columns, unsigned n_threads, std::optional<Problem>& known) {
    std::mutex mutex;
    const uint64_t n_topics = columns.topics.size();
    const uint64_t n_parts = std::min<uint64_t>(n_threads, n_topics);
    in_parallel(n_threads, n_parts, [&](uint64_t part) {
        IdTable table;
        for (uint64_t topic = n_topics * part / n_parts; topic < n_topics * (part + 1) / n_parts; ++topic) {
            const auto twice = twice_in_topic(columns, topic, table);  // what follows in it is further down in the file
            if (!twice) continue;
            const std::string_view id = columns.rows[twice->row].id();
            Problem problem{Problem::twice, line_start(data, id.data())};
            problem.first_at = line_start(data, columns.rows[twice->first].text);
            problem.text = id.substr(0, Problem::shown);
            problem.topic = columns.topics[topic].substr(0, Problem::shown);
            const std::lock_guard lock(mutex);
            if (!known || problem.at < known->at) known = std::move(problem);
        }
    });
}

inline void find_lines(std::string_view data, Problem& problem) {
    problem.line = count_newlines(data.data(), data.data() + problem.at) + 1;
    problem.first_line = count_newlines(data.data(), data.data() + problem.first_at) + 1;
}

inline void rank_topics(Columns<Row>& columns, unsigned n_threads) {
    in_parallel(n_threads, columns.topics.size(), [&](uint64_t topic) {
        const auto first = columns.rows.begin() + columns.starts[topic];
        const auto end = columns.rows.begin() + columns.starts[topic + 1];
        if (!std::is_sorted(first, end, ranks_before)) std::sort(first, end, ranks_before);
    });
}

// About how many lines of a run a text has, going by its start; never more than there can be.
inline uint64_t expected_lines(std::string_view data) {
    constexpr uint64_t shortest = 12;  // "1 Q d 1 2 r" and its LF
    const std::string_view start = data.substr(0, uint64_t{1} << 16);
    const uint64_t n_lines = count_newlines(start.data(), start.data() + start.size());
    return std::min(data.size() / shortest, data.size() / std::max<uint64_t>(start.size(), 1) * (n_lines + n_lines / 16)) + 1;
}

inline Columns<Row> parse_run(std::string_view data, unsigned n_threads) {
    Gatherer<Row> gatherer;
    gatherer.reserve(expected_lines(data));
    std::optional<Problem> problem;
    std::string_view tag;
    const char* const stop = data.data() + data.size();
    for (const char* begin = data.data(); begin < stop;) {
        const auto line = read_line<6>(begin, stop);
        const auto at = static_cast<uint64_t>(begin - data.data());
        const char* const line_begin = begin;
        begin = line.end < stop ? line.end + 1 : stop;
        if (!line.is_data()) continue;
        double score = 0;
        if (line.n_edges < 12) {
            problem = Problem{Problem::too_few_fields, at};
            problem->n_fields = static_cast<uint64_t>(line.n_edges / 2);
            problem->text.assign(line_begin, std::min(static_cast<std::size_t>(line.end - line_begin), Problem::shown));
        } else if (!is_rank(line.field(3))) {
            problem = misplaced<6>(Problem::no_rank, 3, line_begin, line.end, at);
        } else if (!read_score(line.field(4), score)) {
            problem = Problem{Problem::no_number, at};
            problem->text = line.field(4).substr(0, Problem::shown);
        } else if (is_moved(line)) {
            problem = misplaced<6>(Problem::moved, 5, line_begin, line.end, at);
        }
        if (problem) break;
        gatherer.add(line.field(0), Row{line.field(2).data(), line.field(2).size(), score});
        tag = line.field(5);
    }
    Columns<Row> columns = gatherer.gathered();
    find_twice(data, columns, n_threads, problem);
    if (problem) {
        find_lines(data, *problem);
        columns.problem = std::move(problem);
        return columns;
    }
    rank_topics(columns, n_threads);
    columns.tag = tag;
    return columns;
}

inline Columns<GradedRow> parse_qrels(std::string_view data, unsigned n_threads) {
    Gatherer<GradedRow> gatherer;
    std::optional<Problem> problem;
    const char* const stop = data.data() + data.size();
    for (const char* begin = data.data(); begin < stop;) {
        const auto line = read_line<5>(begin, stop);
        const auto at = static_cast<uint64_t>(begin - data.data());
        const char* const line_begin = begin;
        begin = line.end < stop ? line.end + 1 : stop;
        if (!line.is_data()) continue;
        int64_t grade = 0;
        if (line.n_edges != 8) {
            problem = Problem{Problem::fields_not_four, at};
            problem->n_fields = count_fields(line_begin, line.end);
            problem->text.assign(line_begin, std::min(static_cast<std::size_t>(line.end - line_begin), Problem::shown));
        } else if (!read_grade(line.field(3), grade)) {
            problem = misplaced<5>(Problem::no_number, 3, line_begin, line.end, at);
        }
        if (problem) break;
        gatherer.add(line.field(0), GradedRow{line.field(2).data(), line.field(2).size(), grade});
    }
    Columns<GradedRow> columns = gatherer.gathered();
    find_twice(data, columns, n_threads, problem);
    if (problem) find_lines(data, *problem);
    columns.problem = std::move(problem);
    return columns;
}

// N ids end to end, N + 1 offsets; the bytes belong to somebody else.
class Texts {
public:
    Texts(const char* bytes, const int64_t* offsets, uint64_t size) : bytes_(bytes), offsets_(offsets), size_(size) {}
    uint64_t size() const { return size_; }
    std::string_view operator[](uint64_t row) const {
        return {bytes_ + offsets_[row], static_cast<std::size_t>(offsets_[row + 1] - offsets_[row])};
    }

private:
    const char* bytes_;
    const int64_t* offsets_;
    uint64_t size_;
};

// Of rows in any order, the first whose document stands in its topic already.
inline std::optional<Twice> first_twice(const Texts& topics, const Texts& documents) {
    IdTable places;
    std::vector<uint64_t> first_rows;  // of each topic
    std::vector<IdTable> tables;
    for (uint64_t row = 0; row < topics.size(); ++row) {
        const auto known = places.insert(topics[row], tables.size(), [&](uint64_t place) { return topics[first_rows[place]]; });
        if (!known) {
            first_rows.push_back(row);
            tables.emplace_back();
        }
        IdTable& table = tables[known.value_or(tables.size() - 1)];
        const auto twin = table.insert(documents[row], row, [&](uint64_t place) { return documents[place]; });
        if (twin) return Twice{row, *twin};
    }
    return std::nullopt;
}

// Rows in any order, each with a number -> columns; nothing where a document stands twice in a topic.
template <typename RowType, typename Number>
std::optional<Columns<RowType>> gather(const Texts& topics, const Texts& documents, const Number* numbers, unsigned n_threads) {
    Gatherer<RowType> gatherer;
    for (uint64_t row = 0; row < topics.size(); ++row) {
        const std::string_view id = documents[row];
        gatherer.add(topics[row], RowType{id.data(), id.size(), numbers[row]});
    }
    Columns<RowType> columns = gatherer.gathered();
    std::atomic<bool> twice = false;
    const uint64_t n_parts = std::min<uint64_t>(n_threads, columns.topics.size());
    in_parallel(n_threads, n_parts, [&](uint64_t part) {
        IdTable table;
        const uint64_t end = columns.topics.size() * (part + 1) / n_parts;
        for (uint64_t topic = columns.topics.size() * part / n_parts; topic < end && !twice; ++topic) {
            if (twice_in_topic(columns, topic, table)) twice = true;
        }
    });
    if (twice) return std::nullopt;
    return columns;
}

}  // namespace irkit
