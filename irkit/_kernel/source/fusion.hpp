// Several runs -> their documents, each once in its topic; documents with new scores -> a ranked run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "rows.hpp"
#include "text.hpp"

namespace irkit {

// A ranked run, whose columns belong to somebody else.
struct RankedRun {
    const int64_t* starts;
    Texts documents;
    const double* scores;
};

// N documents of T topics that R runs found, in the order of their bytes; R columns of N numbers, nan where a run does
// not have the document.
struct Merged {
    std::vector<int64_t> starts{0};
    std::vector<std::string_view> documents;
    std::vector<double> ranks;
    std::vector<double> scores;
};

// Puts T topics of R runs together: topic t stands in run r at places[t * R + r], -1 where it does not.
class Merger {
public:
    Merger(const std::vector<RankedRun>& runs, const int64_t* places, uint64_t n_topics, int64_t depth)
        : runs_(runs), places_(places), n_topics_(n_topics), depth_(depth) {}

    Merged merged(unsigned n_threads) {
        std::vector<uint64_t> begins{0};  // of the topics in `found_`
        for (uint64_t topic = 0; topic < n_topics_; ++topic) {
            begins.push_back(begins.back());
            for (uint64_t run = 0; run < runs_.size(); ++run) begins.back() += static_cast<uint64_t>(length(topic, run));
        }
        found_.resize(begins.back());
        std::vector<int64_t> n_documents(n_topics_);
        in_parallel(n_threads, n_topics_, [&](uint64_t topic) {
            n_documents[topic] = sort_topic(topic, found_.data() + begins[topic], found_.data() + begins[topic + 1]);
        });
        Merged all;
        for (const int64_t number : n_documents) all.starts.push_back(all.starts.back() + number);
        const auto n = static_cast<uint64_t>(all.starts.back());
        all.documents.resize(n);
        all.ranks.assign(n * runs_.size(), std::numeric_limits<double>::quiet_NaN());
        all.scores = all.ranks;
        in_parallel(n_threads, n_topics_, [&](uint64_t topic) {
            fill_topic(topic, found_.data() + begins[topic], found_.data() + begins[topic + 1], all);
        });
        return all;
    }

private:
    // A row of a run. Of its id, the bytes that not all ids of the topic begin with: the first 8, as a number that is the
    // greater the later they stand in order, and how many there are, 9 for any more.
    struct Found {
        uint64_t word;
        uint64_t row;
        uint32_t run;
        uint32_t size;
    };
    static constexpr std::size_t longer = 9;

    int64_t place(uint64_t topic, uint64_t run) const { return places_[topic * runs_.size() + run]; }
    int64_t first(uint64_t topic, uint64_t run) const { return runs_[run].starts[place(topic, run)]; }
    int64_t length(uint64_t topic, uint64_t run) const {
        if (place(topic, run) < 0) return 0;
        return std::min(depth_, runs_[run].starts[place(topic, run) + 1] - first(topic, run));
    }
    std::string_view id(const Found& found) const { return runs_[found.run].documents[found.row]; }
    bool precedes(const Found& one, const Found& other) const {
        if (one.word != other.word) return one.word < other.word;
        if (one.size != other.size) return one.size < other.size;  // what is missing in a word is 0
        return one.size == longer && before(id(one), id(other));
    }
    bool is_same(const Found& one, const Found& other) const {
        return one.word == other.word && one.size == other.size && (one.size < longer || same(id(one), id(other)));
    }

    // Takes the rows of a topic, sorts them by document, and says how many documents they are.
    int64_t sort_topic(uint64_t topic, Found* const begin, Found* const end) const {
        Found* to = begin;
        for (uint64_t run = 0; run < runs_.size(); ++run) {
            const int64_t n_rows = length(topic, run);
            if (n_rows == 0) continue;
            const auto from = static_cast<uint64_t>(first(topic, run));
            for (uint64_t row = from; row < from + static_cast<uint64_t>(n_rows); ++row) *to++ = {0, row, static_cast<uint32_t>(run), 0};
        }
        if (begin == end) return 0;
        const std::size_t n_shared = shared_size(begin, end);
        for (Found* found = begin; found < end; ++found) {
            const std::string_view rest = id(*found).substr(n_shared);
            found->word = first_word(rest);
            found->size = static_cast<uint32_t>(std::min(rest.size(), longer));
        }
        std::sort(begin, end, [this](const Found& one, const Found& other) { return precedes(one, other); });
        int64_t n_documents = 1;
        for (const Found* found = begin + 1; found < end; ++found) n_documents += !is_same(found[-1], *found);
        return n_documents;
    }

    void fill_topic(uint64_t topic, const Found* const begin, const Found* const end, Merged& all) const {
        auto number = static_cast<uint64_t>(all.starts[topic]);
        for (const Found* found = begin; found < end; ++found) {
            if (found > begin && !is_same(found[-1], *found)) ++number;
            all.documents[number] = id(*found);
            const uint64_t cell = found->run * all.documents.size() + number;
            all.ranks[cell] = static_cast<double>(static_cast<int64_t>(found->row) - first(topic, found->run) + 1);
            all.scores[cell] = runs_[found->run].scores[found->row];
        }
    }

    // How many bytes all ids begin with.
    std::size_t shared_size(const Found* const begin, const Found* const end) const {
        const std::string_view first = id(*begin);
        std::size_t n_shared = first.size();
        for (const Found* found = begin; found < end && n_shared; ++found) {
            const std::string_view other = id(*found).substr(0, n_shared);
            n_shared = static_cast<std::size_t>(std::mismatch(other.begin(), other.end(), first.begin()).first - other.begin());
        }
        return n_shared;
    }

    static uint64_t first_word(std::string_view bytes) {
        uint64_t word = 0;
        for (std::size_t place = 0; place < 8; ++place) {
            word = word << 8 | (place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0U);
        }
        return word;
    }

    const std::vector<RankedRun>& runs_;
    const int64_t* places_;
    uint64_t n_topics_;
    int64_t depth_;
    std::vector<Found> found_;
};

// The documents of T topics by new scores, the first `depth` of each.
inline Columns<Row> rerank(const int64_t* starts, uint64_t n_topics, const Texts& documents, const double* scores, int64_t depth,
                           unsigned n_threads) {
    Columns<Row> ranked;
    for (uint64_t topic = 0; topic < n_topics; ++topic) {
        ranked.starts.push_back(ranked.starts.back() + std::min(depth, starts[topic + 1] - starts[topic]));
    }
    ranked.rows.resize(static_cast<uint64_t>(ranked.starts.back()));
    in_parallel(n_threads, n_topics, [&](uint64_t topic) {
        std::vector<Row> rows;
        rows.reserve(static_cast<uint64_t>(starts[topic + 1] - starts[topic]));
        for (auto row = static_cast<uint64_t>(starts[topic]); row < static_cast<uint64_t>(starts[topic + 1]); ++row) {
            rows.push_back({documents[row].data(), documents[row].size(), scores[row]});
        }
        const auto kept = rows.begin() + (ranked.starts[topic + 1] - ranked.starts[topic]);
        if (kept < rows.end()) std::nth_element(rows.begin(), kept, rows.end(), ranks_before);
        std::sort(rows.begin(), kept, ranks_before);
        std::copy(rows.begin(), kept, ranked.rows.begin() + ranked.starts[topic]);
    });
    return ranked;
}

}  // namespace irkit
