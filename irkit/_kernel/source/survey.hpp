// A run in memory, faults and all -> what it holds. Pieces of it are read on several threads, and nearly all topics lie
// in one piece; those that do not are read again, each whole.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "rows.hpp"
#include "survey_piece.hpp"
#include "text.hpp"

namespace irkit {

constexpr uint64_t most_tags = 100;  // as columns.py has it

// `RunSurvey` of columns.py; pairs lie end to end.
struct Survey {
    uint64_t n_lines = 0;
    uint64_t n_rows = 0;
    std::vector<std::string_view> topics;
    std::vector<int64_t> first, n_documents, n_parts, n_tied, n_tied_float32, misplaced, contradiction;
    std::vector<std::string_view> tags;
    std::vector<int64_t> tag_first, tag_rows;
    uint64_t n_other_tags = 0;
    std::vector<uint8_t> kind;
    std::vector<int64_t> line, start, other;
};

class RunSurveyor {
public:
    RunSurveyor(std::string_view data, unsigned n_threads, uint64_t piece) : data_(data), n_threads_(n_threads) {
        const uint64_t size = std::clamp<uint64_t>(piece, 1, uint64_t{1} << 31);
        pieces_.resize((data.size() + size - 1) / size);
        uint64_t begin = 0;
        for (uint64_t number = 0; number < pieces_.size(); ++number) {
            // A piece has the lines that begin in it. One that lies in a line has none.
            pieces_[number].begin = begin;
            const uint64_t limit = std::min((number + 1) * size, data.size());
            if (begin < limit) {
                const char* const newline = find(data.data() + limit - 1, data.data() + data.size(), '\n');
                begin = newline ? static_cast<uint64_t>(newline - data.data()) + 1 : data.size();
            }
            pieces_[number].end = begin;
        }
    }

    // Once.
    Survey survey() {
        share_out(pieces_.size(), [this] { return PieceSurveyor(data_); },
                  [this](PieceSurveyor& surveyor, uint64_t number) { surveyor.read(pieces_[number]); });
        for (SurveyPiece& piece : pieces_) {
            piece.n_lines_before = survey_.n_lines;
            survey_.n_lines += piece.n_lines;
        }
        gather_tags();
        gather_topics();
        gather_faults();
        return std::move(survey_);
    }

private:
    struct Record {  // a stretch
        uint64_t piece;
        uint64_t stretch;
    };
    struct Twice {
        uint64_t line, start, first;
    };

    // Does `work(worker, item)` for every item below n; each thread has a worker of its own.
    template <typename Make, typename Work>
    void share_out(uint64_t n, const Make& make, const Work& work) const {
        std::atomic<uint64_t> next{0};
        in_parallel(n_threads_, std::min<uint64_t>(std::max(n_threads_, 1U), n), [&](uint64_t) {
            auto worker = make();
            for (uint64_t item = next++; item < n; item = next++) work(worker, item);
        });
    }

    void gather_tags() {
        IdTable places;
        const auto text_at = [this](uint64_t place) { return survey_.tags[place]; };
        for (SurveyPiece& piece : pieces_) {
            for (const SurveyPiece::Tag& tag : piece.tags) {
                auto known = places.find(tag.text, hash_of(tag.text), text_at);
                if (!known && survey_.tags.size() < most_tags) {
                    known = survey_.tags.size();
                    places.insert(tag.text, *known, text_at);
                    survey_.tags.push_back(tag.text);
                    survey_.tag_first.push_back(static_cast<int64_t>(piece.n_lines_before + tag.line));
                    survey_.tag_rows.push_back(0);
                }
                if (known) {
                    survey_.tag_rows[*known] += tag.n_rows;
                } else {
                    survey_.n_other_tags += tag.n_rows;
                }
            }
            std::vector<SurveyPiece::Tag>().swap(piece.tags);
        }
    }

    void gather_topics() {
        std::vector<uint64_t> topic_of = number_topics();  // of every stretch
        const uint64_t n_topics = survey_.topics.size();
        for (auto* column : {&survey_.first, &survey_.n_documents, &survey_.n_parts, &survey_.n_tied, &survey_.n_tied_float32}) {
            column->assign(n_topics, 0);
        }
        survey_.misplaced.assign(2 * n_topics, 0);
        survey_.contradiction.assign(2 * n_topics, 0);
        std::vector<uint64_t> n_stretches(n_topics, 0);
        uint64_t number = 0, last = n_topics;
        for (const SurveyPiece& piece : pieces_) {
            for (const SurveyPiece::Stretch& stretch : piece.stretches) {
                const uint64_t topic = topic_of[number++];
                if (n_stretches[topic]++ == 0) survey_.first[topic] = static_cast<int64_t>(piece.n_lines_before + stretch.line);
                survey_.n_rows += stretch.n_rows;
                survey_.n_documents[topic] += stretch.n_rows;
                survey_.n_parts[topic] += topic != last;
                last = topic;
            }
        }
        number = 0;
        for (SurveyPiece& piece : pieces_) {
            for (Finding& found : piece.findings) {
                found.topic = topic_of[number + found.topic];
                if (n_stretches[found.topic] == 1) tell(found, piece.n_lines_before);
            }
            for (const SurveyPiece::Twice& twice : piece.twice) {
                if (n_stretches[topic_of[number + twice.stretch]] > 1) continue;
                twice_.push_back({piece.n_lines_before + twice.line, piece.begin + twice.start, piece.n_lines_before + twice.first});
            }
            number += piece.stretches.size();
        }
        read_again(topic_of, n_stretches);
    }

    // Gives every stretch its topic's place in byte order.
    std::vector<uint64_t> number_topics() {
        std::vector<uint64_t> topic_of;
        std::vector<std::string_view>& names = survey_.topics;
        {
            IdTable places;
            for (const SurveyPiece& piece : pieces_) {
                for (const SurveyPiece::Stretch& stretch : piece.stretches) {
                    const auto known = places.insert(stretch.id(), names.size(), [&](uint64_t place) { return names[place]; });
                    if (!known) names.push_back(stretch.id());
                    topic_of.push_back(known.value_or(names.size() - 1));
                }
            }
        }
        if (std::is_sorted(names.begin(), names.end(), before)) return topic_of;
        std::vector<uint64_t> order(names.size()), place(names.size());
        for (uint64_t number = 0; number < order.size(); ++number) order[number] = number;
        std::sort(order.begin(), order.end(), [&](uint64_t one, uint64_t other) { return before(names[one], names[other]); });
        std::vector<std::string_view> ordered(names.size());
        for (uint64_t number = 0; number < order.size(); ++number) {
            ordered[number] = names[order[number]];
            place[order[number]] = number;
        }
        for (uint64_t& topic : topic_of) topic = place[topic];
        names = std::move(ordered);
        return topic_of;
    }

    void tell(const Finding& found, uint64_t n_lines_before) {
        const auto line = [n_lines_before](uint64_t number) { return static_cast<int64_t>(number ? n_lines_before + number : 0); };
        survey_.n_tied[found.topic] = static_cast<int64_t>(found.n_tied);
        survey_.n_tied_float32[found.topic] = static_cast<int64_t>(found.n_tied_float32);
        for (const uint64_t side : {0U, 1U}) {
            survey_.misplaced[2 * found.topic + side] = line(found.misplaced[side]);
            survey_.contradiction[2 * found.topic + side] = line(found.contradiction[side]);
        }
    }

    // Topics of several stretches, which pieces may have cut or other topics parted.
    void read_again(const std::vector<uint64_t>& topic_of, const std::vector<uint64_t>& n_stretches) {
        std::vector<uint64_t> topics, starts{0}, next(n_stretches.size(), 0);
        for (uint64_t topic = 0; topic < n_stretches.size(); ++topic) {
            if (n_stretches[topic] < 2) continue;
            topics.push_back(topic);
            next[topic] = starts.back();
            starts.push_back(starts.back() + n_stretches[topic]);
        }
        std::vector<Record> records(starts.back());
        uint64_t number = 0;
        for (uint64_t piece = 0; piece < pieces_.size(); ++piece) {
            for (uint64_t stretch = 0; stretch < pieces_[piece].stretches.size(); ++stretch) {
                const uint64_t topic = topic_of[number++];
                if (n_stretches[topic] > 1) records[next[topic]++] = {piece, stretch};
            }
        }
        std::vector<std::vector<Twice>> twice(topics.size());
        share_out(topics.size(), [] { return TopicRows(); }, [&](TopicRows& rows, uint64_t item) {
            rows.restart();
            for (uint64_t record = starts[item]; record < starts[item + 1]; ++record) read_stretch(records[record], rows, twice[item]);
            if (const auto found = rows.finding(topics[item])) tell(*found, 0);
        });
        for (const std::vector<Twice>& some : twice) twice_.insert(twice_.end(), some.begin(), some.end());
    }

    void read_stretch(const Record& record, TopicRows& rows, std::vector<Twice>& twice) const {
        const SurveyPiece& piece = pieces_[record.piece];
        const SurveyPiece::Stretch& stretch = piece.stretches[record.stretch];
        const char* const stop = data_.data() + data_.size();
        const char* begin = data_.data() + line_start(data_, stretch.topic);
        uint64_t number = piece.n_lines_before + stretch.line;
        for (uint32_t n_left = stretch.n_rows; n_left > 0; ++number) {
            const RunLine line = read_run_line(begin, stop, piece.may_have_nul, number);
            const auto start = static_cast<uint64_t>(begin - data_.data());
            begin = line.next;
            if (line.fault != LineFault::none) continue;
            if (const uint64_t twin = rows.add(line.row)) twice.push_back({number, start, twin});
            --n_left;
        }
    }

    void gather_faults() {
        const auto rises = [](const Twice& one, const Twice& other) { return one.line < other.line; };
        if (!std::is_sorted(twice_.begin(), twice_.end(), rises)) std::sort(twice_.begin(), twice_.end(), rises);
        uint64_t n_faults = twice_.size();
        for (const SurveyPiece& piece : pieces_) n_faults += piece.faults.size();
        survey_.kind.reserve(n_faults);
        for (auto* column : {&survey_.line, &survey_.start, &survey_.other}) column->reserve(n_faults);
        const auto add = [this](LineFault kind, uint64_t line, uint64_t start, uint64_t other) {
            survey_.kind.push_back(static_cast<uint8_t>(kind));
            survey_.line.push_back(static_cast<int64_t>(line));
            survey_.start.push_back(static_cast<int64_t>(start));
            survey_.other.push_back(static_cast<int64_t>(other));
        };
        // Of one line's faults TWICE comes first: a line that has one of those before it is no row.
        auto twice = twice_.begin();
        const auto add_twice_up_to = [&](uint64_t line) {
            for (; twice != twice_.end() && twice->line <= line; ++twice) add(LineFault::twice, twice->line, twice->start, twice->first);
        };
        for (SurveyPiece& piece : pieces_) {
            for (const SurveyPiece::Fault& fault : piece.faults) {
                add_twice_up_to(piece.n_lines_before + fault.line);
                add(fault.kind, piece.n_lines_before + fault.line, piece.begin + fault.start, 0);
            }
            std::vector<SurveyPiece::Fault>().swap(piece.faults);
        }
        add_twice_up_to(survey_.n_lines);
    }

    std::string_view data_;
    unsigned n_threads_;
    std::vector<SurveyPiece> pieces_;
    std::vector<Twice> twice_;
    Survey survey_;
};

// `piece`: about how many bytes a thread takes at once.
inline Survey survey_run(std::string_view data, unsigned n_threads, uint64_t piece) {
    return RunSurveyor(data, n_threads, piece).survey();
}

}  // namespace irkit
