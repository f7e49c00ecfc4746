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
        if (int64_t rank = 0; !exactly && !read_grade(fields[3], rank)) {
            table.fault = Fault{7, table.n_lines, 0, fields.size(), fields[3].substr(0, shown), std::string(line.substr(0, shown))};
            continue;
        }
        if (!read(fields[value], number)) {
            table.fault = Fault{2, table.n_lines, 0, 0, fields[value].substr(0, shown)};
            if (exactly) table.fault->n_fields = fields.size();
            if (exactly) table.fault->topic = line.substr(0, shown);
            continue;
        }
        if (double tag = 0; !exactly && fields.size() > 6 && read_score(fields[5], tag)) {
            table.fault = Fault{8, table.n_lines, 0, fields.size(), fields[5].substr(0, shown), std::string(line.substr(0, shown))};
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

// What a run file holds, faults and all ----------------------------------------------------------------------------------

struct SurveyedRow {
    uint64_t line;
    std::string id;
    double score;
    std::optional<int64_t> rank;
};

struct LineFault {
    int kind;  // as irkit::LineFault numbers them
    uint64_t line, start, other = 0;

    bool operator==(const LineFault&) const = default;
};

struct Tag {
    std::string text;
    uint64_t first, n_rows;

    bool operator==(const Tag&) const = default;
};

struct Survey {
    uint64_t n_lines = 0, n_rows = 0, n_other_tags = 0;
    std::map<std::string, std::vector<SurveyedRow>> topics;  // in byte order; rows as they stand in the file
    std::map<std::string, int64_t> n_parts;
    std::vector<Tag> tags;
    std::vector<LineFault> faults;
};

// Every sign is put together from its bytes, and has to be one that those are the shortest form of.
inline bool is_utf8(const std::string& text) {
    for (std::size_t place = 0; place < text.size();) {
        const auto byte = [&](std::size_t number) { return static_cast<uint32_t>(static_cast<unsigned char>(text[number])); };
        const uint32_t lead = byte(place);
        const std::size_t size = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
        if (size == 0 || size > text.size() - place) return false;
        uint32_t sign = size == 1 ? lead : lead & (0x7FU >> size);
        for (std::size_t number = 1; number < size; ++number) {
            if (byte(place + number) >> 6 != 2) return false;
            sign = sign << 6 | (byte(place + number) & 0x3FU);
        }
        const std::size_t fewest = sign < 0x80 ? 1 : sign < 0x800 ? 2 : sign < 0x10000 ? 3 : 4;
        if (size != fewest || (sign >= 0xD800 && sign < 0xE000) || sign > 0x10FFFF) return false;
        place += size;
    }
    return true;
}

inline Survey survey_of(std::string_view data) {
    Survey survey;
    std::string last;
    for (std::size_t begin = 0; begin < data.size();) {
        const std::size_t start = begin, end = std::min(data.find('\n', begin), data.size());
        const std::string_view line = data.substr(begin, end - begin);
        begin = end + 1;
        const uint64_t number = ++survey.n_lines;
        const auto fault = [&](int kind, uint64_t other = 0) { survey.faults.push_back({kind, number, start, other}); };
        const std::vector<std::string> fields = fields_of(line);
        double score = 0;
        int64_t rank = 0;
        if (line.find('\0') != std::string_view::npos) {
            fault(1);
        } else if (fields.empty() || fields[0].starts_with('#')) {
            continue;
        } else if (fields.size() < 6) {
            fault(2);
        } else if (!read_grade(fields[3], rank)) {
            fault(3);
        } else if (!read_score(fields[4], score)) {
            fault(4);
        } else if (double number_for_tag = 0; fields.size() > 6 && read_score(fields[5], number_for_tag)) {
            fault(5);
        } else {
            std::vector<SurveyedRow>& rows = survey.topics[fields[0]];
            for (const SurveyedRow& known : rows) {
                if (known.id != fields[2]) continue;
                fault(6, known.line);
                break;
            }
            if (fields.size() > 6) fault(7);
            if (!is_utf8(fields[0]) || !is_utf8(fields[2]) || !is_utf8(fields[5])) fault(8);
            if (score - score != 0) fault(9);
            rows.push_back({number, fields[2], score, rank});
            if (survey.n_rows++ == 0 || fields[0] != last) ++survey.n_parts[fields[0]];
            last = fields[0];
            const auto tag = std::find_if(survey.tags.begin(), survey.tags.end(), [&](const Tag& known) { return known.text == fields[5]; });
            if (tag != survey.tags.end()) {
                ++tag->n_rows;
            } else if (survey.tags.size() < 100) {
                survey.tags.push_back({fields[5], number, 1});
            } else {
                ++survey.n_other_tags;
            }
        }
    }
    return survey;
}

template <typename Number>
int64_t n_tied(const std::vector<SurveyedRow>& rows) {
    return std::count_if(rows.begin(), rows.end(), [&](const SurveyedRow& row) {
        return std::count_if(rows.begin(), rows.end(), [&](const SurveyedRow& other) {
                   return static_cast<Number>(row.score) == static_cast<Number>(other.score);
               }) > 1;
    });
}

// The lines of the first two rows that are wrong together, by score falling, rank rising, id falling and line rising: the
// lower one as high as can be, then the upper one as near to it as can be.
template <typename IsWrong>
std::pair<int64_t, int64_t> first_pair(std::vector<SurveyedRow> rows, const IsWrong& is_wrong) {
    for (const SurveyedRow& row : rows) {
        if (!row.rank) return {0, 0};
    }
    std::stable_sort(rows.begin(), rows.end(), [](const SurveyedRow& one, const SurveyedRow& other) {
        if (one.score != other.score) return one.score > other.score;
        return one.rank != other.rank ? one.rank < other.rank : one.id > other.id;
    });
    for (std::size_t lower = 0; lower < rows.size(); ++lower) {
        for (std::size_t upper = lower; upper-- > 0;) {
            if (!is_wrong(rows[upper], rows[lower])) continue;
            return {static_cast<int64_t>(rows[upper].line), static_cast<int64_t>(rows[lower].line)};
        }
    }
    return {0, 0};
}

inline bool is_misplaced(const SurveyedRow& upper, const SurveyedRow& lower) {
    return upper.score == lower.score && upper.rank < lower.rank && upper.id < lower.id;
}

inline bool is_against(const SurveyedRow& upper, const SurveyedRow& lower) {
    return upper.score > lower.score && upper.rank > lower.rank;
}

}  // namespace plain
