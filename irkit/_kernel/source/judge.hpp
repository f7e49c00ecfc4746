// Lines of a run -> its judged documents, topic by topic; only the topic in flight is held.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "number.hpp"
#include "pool.hpp"
#include "rows.hpp"
#include "text.hpp"

namespace irkit {

// What was found, topics in the order of the file.
struct Found {
    struct Topic {
        uint64_t name_end;  // in `names`
        int64_t place;      // in the qrels, -1 where they do not have it
        int64_t n_retrieved;
        uint64_t n_matches;
    };
    std::string names;
    std::vector<Topic> topics;
    std::vector<int64_t> rank;   // of the matches, topics end to end, each in rank order
    std::vector<int64_t> grade;
    std::vector<int64_t> first;  // first and last rank of the rows that have the match's score
    std::vector<int64_t> last;
    std::string tag;             // of the last line, where there are lines
    std::optional<Problem> problem;
};

class Judge {
public:
    static constexpr uint64_t everything = ~uint64_t{0};

    Judge(const Pool& pool, bool float32) : pool_(pool), float32_(float32) {}

    // Starts a piece of a file: topics whose first line begins before `limit` are its own, but not the one that the
    // piece before it ends with.
    void restart(std::optional<std::string> topic_before, uint64_t limit) {
        rows_.clear();
        table_.restart(n_before_);
        found_ = Found{};
        in_topic_ = false;
        topic_ = {};
        finished_ = false;
        passed_over_ = std::move(topic_before);
        limit_ = limit;
    }

    // Reads whole lines, and the rest after the last LF too where it is the last of the text. `at` is the offset of
    // `text` in the file. Returns where the first line begins that was not read.
    const char* read(const char* const text, const char* const stop, uint64_t at, bool last);

    // Takes a topic whose rows are known already. False where a document stands in it twice.
    bool take_topic(std::string_view topic, const std::vector<Row>& rows) {
        begin_topic(nullptr, topic);
        tag_ = {};
        for (const Row& given : rows) {
            Row row = given;
            if (float32_) row.score = static_cast<double>(static_cast<float>(row.score));
            falling_ &= !(row.score > last_score_);
            last_score_ = row.score;
            if (table_.insert(row.id(), rows_.size(), [this](uint64_t place) { return id_at(place); })) return false;
            rows_.push_back(row);
        }
        end_topic();
        return true;
    }

    // Ends the topic in flight.
    void finish() {
        if (in_topic_) end_topic();
        finished_ = true;
    }

    // What of the text is still needed: the topic in flight, or nothing.
    const char* kept() const { return in_topic_ ? begin_ : nullptr; }

    // The text has moved.
    void moved(const char* from, const char* to) {
        if (!in_topic_) return;
        for (Row& row : rows_) row.text = to + (row.text - from);
        begin_ = to + (begin_ - from);
        topic_ = {to + (topic_.data() - from), topic_.size()};
        tag_ = {to + (tag_.data() - from), tag_.size()};
    }

    bool finished() const { return finished_; }
    uint64_t n_lines() const { return n_lines_; }
    Found take() { return std::move(found_); }
    std::optional<Problem>& problem() { return found_.problem; }

private:
    std::string_view id_at(uint64_t place) const { return rows_[place].id(); }

    // Whether the first field of a line is the topic in flight, if there is one. 8 bytes from its start on can be read, since
    // five fields follow it.
    bool is_topic(std::string_view field) const {
        if (field.size() != topic_.size() || ((word_at(field.data()) ^ topic_word_) & topic_mask_)) return false;
        return field.size() <= 8 || same(field, topic_);
    }

    void begin_topic(const char* line, std::string_view topic) {
        in_topic_ = true;
        falling_ = true;
        last_score_ = std::numeric_limits<double>::infinity();
        begin_ = line;
        topic_ = topic;
        topic_word_ = 0;
        std::memcpy(&topic_word_, topic.data(), std::min<std::size_t>(topic.size(), 8));
        topic_mask_ = 0;
        std::memset(&topic_mask_, 0xFF, std::min<std::size_t>(topic.size(), 8));
    }

    void end_topic();
    void match(uint64_t place);
    bool rank_among_neighbours();
    void rank_among_all();

    void fail(Problem problem) {
        found_.names.append(topic_);
        found_.topics.push_back({found_.names.size(), -1, 0, 0});
        found_.problem = std::move(problem);
        in_topic_ = false;
        finished_ = true;
    }

    struct Match {
        uint64_t row;
        int64_t rank;
        int64_t grade;
        int64_t first;
        int64_t last;
    };

    double score_of(const Match& match) const { return rows_[match.row].score; }

    const Pool& pool_;
    bool float32_;
    std::vector<Row> rows_;
    IdTable table_;
    uint64_t n_before_ = 0;
    std::vector<Match> matches_;
    std::vector<int64_t> ahead_;
    Found found_;
    std::optional<std::string> passed_over_;
    uint64_t limit_ = everything;
    uint64_t n_lines_ = 0;
    const char* begin_ = nullptr;
    std::string_view topic_;
    uint64_t topic_word_ = 0;  // its first 8 bytes, and where they are in a word
    uint64_t topic_mask_ = 0;
    std::string_view tag_;
    bool in_topic_ = false;
    double last_score_ = 0;
    bool falling_ = true;  // no score of the topic is above the one before it
    bool finished_ = false;
};

inline const char* Judge::read(const char* const text, const char* const stop, uint64_t at, bool last) {
    const char* begin = text;
    while (begin < stop) {
        const auto line = read_line<6>(begin, stop);
        const char* next = line.end + 1;
        if (line.end == stop) [[unlikely]] {
            if (!last) break;
            next = stop;
        }
        const auto offset = [&](const char* place) { return at + static_cast<uint64_t>(place - text); };
        const bool goes_on = line.n_edges == 12 && is_topic(line.field(0));
        if (!goes_on) [[unlikely]] {
            if (!line.is_data()) {
                finished_ = !in_topic_ && offset(begin) >= limit_;
                ++n_lines_;
                begin = next;
                if (finished_) break;
                continue;
            }
            const std::string_view topic = line.field(0);
            if (!in_topic_ || !same(topic, topic_)) {
                if (in_topic_) end_topic();
                if (offset(begin) >= limit_) {
                    finished_ = true;
                    break;
                }
                if (passed_over_) {
                    if (same(topic, *passed_over_)) {
                        ++n_lines_;
                        begin = next;
                        continue;
                    }
                    passed_over_.reset();
                }
                begin_topic(begin, topic);
            }
            if (line.n_edges < 12) {
                Problem problem{Problem::too_few_fields, offset(begin)};
                problem.n_fields = static_cast<uint64_t>(line.n_edges / 2);
                problem.text.assign(begin, std::min(static_cast<std::size_t>(line.end - begin), Problem::shown));
                fail(std::move(problem));
                break;
            }
        }
        if (!is_rank(line.field(3))) [[unlikely]] {
            fail(misplaced<6>(Problem::no_rank, 3, begin, line.end, offset(begin)));
            break;
        }
        double score = 0;
        if (!read_score(line.field(4), score)) {
            Problem problem{Problem::no_number, offset(begin)};
            problem.text = line.field(4).substr(0, Problem::shown);
            fail(std::move(problem));
            break;
        }
        if (is_moved(line)) [[unlikely]] {
            fail(misplaced<6>(Problem::moved, 5, begin, line.end, offset(begin)));
            break;
        }
        if (float32_) score = static_cast<double>(static_cast<float>(score));
        const std::string_view id = line.field(2);
        const Row row{id.data(), id.size(), score};
        const auto known = table_.insert(id, rows_.size(), [this](uint64_t place) { return id_at(place); });
        if (known) {
            Problem problem{Problem::twice, offset(begin)};
            problem.first_at = offset(rows_[*known].text);
            problem.text = id.substr(0, Problem::shown);
            problem.topic = topic_.substr(0, Problem::shown);
            fail(std::move(problem));
            break;
        }
        falling_ &= !(score > last_score_);
        last_score_ = score;
        rows_.push_back(row);
        tag_ = line.field(5);
        ++n_lines_;
        begin = next;
    }
    return begin;
}

inline void Judge::end_topic() {
    const std::optional<uint64_t> place = pool_.place_of(topic_);
    matches_.clear();
    if (place) match(*place);
    found_.names.append(topic_);
    found_.topics.push_back({found_.names.size(), place ? static_cast<int64_t>(*place) : -1,
                             static_cast<int64_t>(rows_.size()), matches_.size()});
    found_.tag.assign(tag_);
    n_before_ = rows_.size();
    rows_.clear();
    table_.restart(n_before_);
    in_topic_ = false;
    topic_ = {};
}

inline void Judge::match(uint64_t place) {
    for (uint64_t judged = pool_.start(place); judged < pool_.start(place + 1); ++judged) {
        const auto row = table_.find(pool_.id(judged), pool_.hash(judged), [this](uint64_t known) { return id_at(known); });
        if (row) matches_.push_back({*row, 0, pool_.grade(judged), 0, 0});
    }
    if (!falling_ || !rank_among_neighbours()) rank_among_all();
    std::sort(matches_.begin(), matches_.end(), [](const Match& one, const Match& other) { return one.rank < other.rank; });
    for (const Match& found : matches_) {
        found_.rank.push_back(found.rank);
        found_.grade.push_back(found.grade);
        found_.first.push_back(found.first);
        found_.last.push_back(found.last);
    }
}

// Where scores fall, only rows with the same score can be out of place. False where too many have it.
inline bool Judge::rank_among_neighbours() {
    constexpr uint64_t most = 64;
    for (Match& found : matches_) {
        const Row& row = rows_[found.row];
        uint64_t first = found.row;
        while (first > 0 && rows_[first - 1].score == row.score) {
            if (found.row - --first > most) return false;
        }
        found.first = found.rank = static_cast<int64_t>(first) + 1;
        uint64_t other = first;
        for (; other < rows_.size() && rows_[other].score == row.score; ++other) {
            if (other - first > most) return false;
            found.rank += ranks_before(rows_[other], row);
        }
        found.last = static_cast<int64_t>(other);
    }
    return true;
}

// A rank is the number of rows at or before it: every row is counted at the first match that it is not behind. Of those
// counted there, some have its score; of those counted at the next match, some have it still.
inline void Judge::rank_among_all() {
    std::sort(matches_.begin(), matches_.end(), [this](const Match& one, const Match& other) {
        return ranks_before(rows_[one.row], rows_[other.row]);
    });
    ahead_.assign(matches_.size() + 1, 0);
    for (Match& found : matches_) found.first = found.last = 0;  // so many rows at or before it, and behind it, have its score
    for (const Row& row : rows_) {
        const auto behind = std::partition_point(matches_.begin(), matches_.end(), [&](const Match& found) {
            return ranks_before(rows_[found.row], row);
        });
        ++ahead_[static_cast<std::size_t>(behind - matches_.begin())];
        if (behind != matches_.end() && score_of(*behind) == row.score) {
            ++behind->first;
        } else if (behind != matches_.begin() && score_of(behind[-1]) == row.score) {
            ++behind[-1].last;
        }
    }
    int64_t rank = 0;
    for (std::size_t number = 0; number < matches_.size(); ++number) {
        rank += ahead_[number];
        Match& found = matches_[number];
        found.rank = rank;
        found.first = number && score_of(matches_[number - 1]) == score_of(found) ? matches_[number - 1].first : rank - found.first + 1;
        found.last += rank;
    }
    for (std::size_t number = matches_.size(); number-- > 1;) {
        if (score_of(matches_[number - 1]) == score_of(matches_[number])) matches_[number - 1].last = matches_[number].last;
    }
}

}  // namespace irkit
