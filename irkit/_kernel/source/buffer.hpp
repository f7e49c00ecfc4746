// A stretch of a file in memory, that moves on with the reader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace irkit {

class Buffer {
public:
    const char* begin() const { return bytes_.get(); }
    const char* end() const { return bytes_.get() + size_; }
    uint64_t size() const { return size_; }
    // Where in the file the buffer begins, and ends.
    uint64_t start() const { return start_; }
    uint64_t stop() const { return start_ + size_; }

    void restart(uint64_t start) {
        start_ = start;
        size_ = 0;
    }

    // Room for more bytes behind those from `kept` on; those before it go. `moved(from, to)` is told of a move while
    // both places still exist.
    template <typename Moved>
    char* room(uint64_t n_more, const char* kept, const Moved& moved) {
        const uint64_t n_gone = static_cast<uint64_t>(kept - begin());
        const uint64_t n_kept = size_ - n_gone;
        if (n_kept + n_more > capacity_) {
            const uint64_t wider = std::max(n_kept + n_more, 2 * capacity_);
            std::unique_ptr<char[]> bytes(new char[wider]);
            if (n_kept) std::memcpy(bytes.get(), kept, n_kept);
            moved(kept, bytes.get());
            bytes_ = std::move(bytes);
            capacity_ = wider;
        } else if (n_gone) {
            std::memmove(bytes_.get(), kept, n_kept);
            moved(kept, begin());
        }
        start_ += n_gone;
        size_ = n_kept;
        return bytes_.get() + size_;
    }

    void added(uint64_t n_more) { size_ += n_more; }

private:
    std::unique_ptr<char[]> bytes_;
    uint64_t capacity_ = 0;
    uint64_t size_ = 0;
    uint64_t start_ = 0;
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace irkit
