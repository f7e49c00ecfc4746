// What of a run is needed to score it, put together from its pieces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "judge.hpp"

namespace irkit {

struct Retrieved {
    std::vector<std::string_view> topics;  // in byte order; the names belong to the pieces
    std::vector<int64_t> lengths;
    std::vector<int64_t> topic;  // of the matches: place in the qrels
    std::vector<int64_t> rank;
    std::vector<int64_t> grade;
    std::vector<int64_t> first;
    std::vector<int64_t> last;
    std::string_view tag;
};

// Nothing where a topic comes back after another one: then its documents were not looked at together.
inline std::optional<Retrieved> put_together(const std::vector<Found>& pieces) {
    struct Part {
        std::string_view name;
        const Found* piece;
        const Found::Topic* topic;
        uint64_t first_match;
    };
    std::vector<Part> parts;
    Retrieved all;
    for (const Found& piece : pieces) {
        uint64_t name_start = 0, first_match = 0;
        for (const Found::Topic& topic : piece.topics) {
            const auto name = std::string_view(piece.names).substr(name_start, topic.name_end - name_start);
            parts.push_back({name, &piece, &topic, first_match});
            name_start = topic.name_end;
            first_match += topic.n_matches;
        }
        if (!piece.topics.empty()) all.tag = piece.tag;
    }
    const auto by_name = [](const Part& one, const Part& other) { return before(one.name, other.name); };
    const auto by_place = [](const Part& one, const Part& other) { return one.topic->place < other.topic->place; };
    std::sort(parts.begin(), parts.end(), by_name);
    for (std::size_t number = 1; number < parts.size(); ++number) {
        if (parts[number].name == parts[number - 1].name) return std::nullopt;
    }
    for (const Part& part : parts) {
        all.topics.push_back(part.name);
        all.lengths.push_back(part.topic->n_retrieved);
    }
    std::stable_sort(parts.begin(), parts.end(), by_place);
    for (const Part& part : parts) {
        const auto begin = static_cast<std::ptrdiff_t>(part.first_match);
        const auto end = static_cast<std::ptrdiff_t>(part.first_match + part.topic->n_matches);
        const auto append = [&](std::vector<int64_t>& to, const std::vector<int64_t>& from) {
            to.insert(to.end(), from.begin() + begin, from.begin() + end);
        };
        all.topic.insert(all.topic.end(), part.topic->n_matches, part.topic->place);
        append(all.rank, part.piece->rank);
        append(all.grade, part.piece->grade);
        append(all.first, part.piece->first);
        append(all.last, part.piece->last);
    }
    return all;
}

}  // namespace irkit
