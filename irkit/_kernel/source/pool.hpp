// Qrels, prepared once for any number of runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows.hpp"

namespace irkit {

class Pool {
public:
    // T topics end to end in `topics`, T + 1 offsets; T + 1 starts of their rows; N ids end to end, N + 1 offsets.
    Pool(std::string topics, std::vector<int64_t> topic_offsets, std::vector<int64_t> starts, std::string ids,
         std::vector<int64_t> offsets, std::vector<int64_t> grades)
        : topics_(std::move(topics)),
          topic_offsets_(std::move(topic_offsets)),
          starts_(std::move(starts)),
          ids_(std::move(ids)),
          offsets_(std::move(offsets)),
          grades_(std::move(grades)),
          hashes_(grades_.size()) {
        for (uint64_t row = 0; row < grades_.size(); ++row) hashes_[row] = hash_of(id(row));
        places_.restart(n_topics());
        for (uint64_t place = 0; place < n_topics(); ++place) {
            places_.insert(topic(place), place, [this](uint64_t known) { return topic(known); });
        }
    }

    uint64_t n_topics() const { return starts_.size() - 1; }
    std::string_view topic(uint64_t place) const { return part(topics_, topic_offsets_, place); }
    std::string_view id(uint64_t row) const { return part(ids_, offsets_, row); }
    uint64_t hash(uint64_t row) const { return hashes_[row]; }
    int64_t grade(uint64_t row) const { return grades_[row]; }
    uint64_t start(uint64_t place) const { return static_cast<uint64_t>(starts_[place]); }

    std::optional<uint64_t> place_of(std::string_view topic_id) const {
        return places_.find(topic_id, hash_of(topic_id), [this](uint64_t known) { return topic(known); });
    }

private:
    static std::string_view part(const std::string& bytes, const std::vector<int64_t>& offsets, uint64_t place) {
        return {bytes.data() + offsets[place], static_cast<std::size_t>(offsets[place + 1] - offsets[place])};
    }

    std::string topics_;
    std::vector<int64_t> topic_offsets_;
    std::vector<int64_t> starts_;
    std::string ids_;
    std::vector<int64_t> offsets_;
    std::vector<int64_t> grades_;
    std::vector<uint64_t> hashes_;
    IdTable places_;
};

}  // namespace irkit
