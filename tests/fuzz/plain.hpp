// What a run or qrels hold, found by the plainest means: the answers that the kernel is held to.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plain {

using std::int64_t;
using std::uint64_t;

constexpr std::size_t shown = 81;

// Kinds as irkit::Problem numbers them; `first` only of a document that stands twice.
struct Fault {
    int kind = 0;
    uint64_t line = 0, first = 0, n_fields = 0;
    std::string text{}, topic{};

    bool operator==(const Fault&) const = default;
};

template <typename Number>
struct Document {
    std::string id;
    Number number;
    uint64_t line;
};

template <typename Number>
struct Table {
    std::map<std::string, std::vector<Document<Number>>> topics;  // in byte order; documents as they stand in the file
    std::string tag;
    std::optional<Fault> fault;
    uint64_t n_lines = 0;
    bool scattered = false;  // up to the fault, if there is one, a topic came back after another one
};

inline std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields;
    bool inside = false;
    for (const char sign : line) {
        if (sign == ' ' || sign == '\t' || sign == '\v' || sign == '\f' || sign == '\r') {
            inside = false;
        } else {
            if (!inside) fields.emplace_back();
            fields.back() += sign;
            inside = true;
        }
    }
    return fields;
}

// What C reads as a number, but for nan, hexadecimal digits and what does not fill the field.
inline bool read_score(const std::string& text, double& score) {
    if (text.empty() || text.find_first_of("xXnN \t\n\v\f\r") == 0) return false;
    const bool infinite = text.find_first_of("iI") != std::string::npos;
    if (!infinite && text.find_first_not_of("0123456789+-.eE") != std::string::npos) return false;
    char* end = nullptr;
    score = std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size() && score == score;
}

inline bool read_grade(const std::string& text, int64_t& grade) {
    const std::size_t point = text.find('.');
    const std::string whole = text.substr(0, point);
    if (whole.find_first_not_of("0123456789", whole.starts_with('-') || whole.starts_with('+')) != std::string::npos) return false;
    if (whole.empty() || whole == "-" || whole == "+") return false;
    if (point != std::string::npos && text.find_first_not_of('0', point + 1) != std::string::npos) return false;
    errno = 0;
    grade = std::strtoll(whole.c_str(), nullptr, 10);
    return errno == 0 && grade != INT64_MIN;
}

template <typename Number, typename Read>
Table<Number> table_of(std::string_view data, std::size_t n_fields, bool exactly, std::size_t value, const Read& read) {
    Table<Number> table;
    std::string last;
    for (std::size_t begin = 0; begin <= data.size();) {
        const std::size_t end = std::min(data.find('\n', begin), data.size());
        const std::string_view line = data.substr(begin, end - begin);
        begin = end + 1;
        ++table.n_lines;
        const std::vector<std::string> fields = fields_of(line);
        if (fields.empty() || fields[0].starts_with('#') || table.fault) continue;
        table.scattered |= fields[0] != last && table.topics.contains(fields[0]);
        last = fields[0];
        if (fields.size() < n_fields || (exactly && fields.size() > n_fields)) {
            table.fault = Fault{exactly ? 5 : 1, table.n_lines, 0, fields.size(), std::string(line.substr(0, shown))};
            continue;
        }
        Number number{};
        if (!read(fields[value], number)) {
            table.fault = Fault{2, table.n_lines, 0, 0, fields[value].substr(0, shown)};
            continue;
        }
        std::vector<Document<Number>>& documents = table.topics[fields[0]];
        for (const Document<Number>& known : documents) {
            if (known.id != fields[2]) continue;
            table.fault = Fault{3, table.n_lines, known.line, 0, fields[2].substr(0, shown), fields[0].substr(0, shown)};
            break;
        }
        documents.push_back({fields[2], number, table.n_lines});
        table.tag = fields.back();
        if (!exactly) table.tag = fields[5];
    }
    return table;
}

inline Table<double> run_of(std::string_view data) { return table_of<double>(data, 6, false, 4, read_score); }
inline Table<int64_t> qrels_of(std::string_view data) { return table_of<int64_t>(data, 4, true, 3, read_grade); }

// trec_eval's order.
inline void rank(std::vector<Document<double>>& documents) {
    std::stable_sort(documents.begin(), documents.end(), [](const auto& one, const auto& other) {
        return one.number != other.number ? one.number > other.number : one.id > other.id;
    });
}

// The first and the last rank of the documents with this score.
struct Tie {
    int64_t first = 1, last = 0;
};

inline Tie tie_of(const std::vector<Document<double>>& documents, double score) {
    Tie tie;
    for (const auto& document : documents) {
        if (document.number > score) ++tie.first;
        if (document.number >= score) ++tie.last;
    }
    return tie;
}

}  // namespace plain
