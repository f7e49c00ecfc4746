// A run in a file that can be read anywhere: pieces of it on several threads, each topic by one of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

#include "buffer.hpp"
#include "judge.hpp"

namespace irkit {

struct Source {
    int descriptor;
    uint64_t size;
    uint64_t first = 0;  // where the text begins, after a byte order mark

    Source(int file, uint64_t n_bytes) : descriptor(file), size(n_bytes) {
        char begin[3];
        if (size >= sizeof begin) {
            read(begin, sizeof begin, 0);
            if (std::string_view(begin, sizeof begin) == byte_order_mark) first = sizeof begin;
        }
    }

    // Reads up to n bytes from an offset; fewer only at the end of the file.
    uint64_t read(char* to, uint64_t n_bytes, uint64_t offset) const {
        static_assert(sizeof(off_t) == 8);
        constexpr uint64_t most = uint64_t{1} << 30;  // some systems refuse 2^31 bytes at once
        uint64_t n_read = 0;
        while (n_read < n_bytes) {
            const uint64_t n_wanted = std::min(n_bytes - n_read, most);
            const ssize_t n = ::pread(descriptor, to + n_read, n_wanted, static_cast<off_t>(offset + n_read));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw std::system_error(errno, std::generic_category());
            if (n == 0) throw std::system_error(EIO, std::generic_category(), "the file became shorter");
            n_read += static_cast<uint64_t>(n);
        }
        return n_read;
    }
};

// Pieces in the order of the file.
struct Pieces {
    std::vector<Found> found;
    bool awkward = false;  // lines too long, or too many without data, to look back from a piece
    bool interrupted = false;
};

struct Plan {
    uint64_t piece;    // bytes of a piece
    uint64_t chunk;    // bytes read at once
    uint64_t farthest; // how far a piece looks back for the topic before it
    unsigned n_threads;
};

class PieceReader {
public:
    PieceReader(const Source& source, const Pool& pool, bool float32, const Plan& plan, const std::atomic<bool>& stop)
        : source_(source), plan_(plan), judge_(pool, float32), stop_(stop) {}

    // False where the piece is awkward.
    bool read(uint64_t number, Found& found) {
        const uint64_t begin = source_.first + number * plan_.piece;
        limit_ = std::min(begin + plan_.piece, source_.size);
        has_nul_ = false;
        uint64_t first = begin;
        std::optional<std::string> topic_before;
        if (number == 0) {
            buffer_.restart(begin);
            more(begin);
        } else {
            const Start start = look_back(begin, first, topic_before);
            if (start == Start::awkward) return false;
            if (start == Start::none) {
                finish(found);
                return true;
            }
        }
        judge_.restart(std::move(topic_before), limit_);
        uint64_t unread = first;
        while (!stop_.load(std::memory_order_relaxed)) {
            const bool last = buffer_.stop() == source_.size;
            const char* const text = buffer_.begin() + (unread - buffer_.start());
            unread += static_cast<uint64_t>(judge_.read(text, buffer_.end(), unread, last) - text);
            if (judge_.finished()) break;
            if (last) {
                judge_.finish();
                break;
            }
            const char* const kept = judge_.kept();
            more(kept ? buffer_.start() + static_cast<uint64_t>(kept - buffer_.begin()) : unread);
        }
        found = judge_.take();
        finish(found);
        return true;
    }

private:
    enum class Start { here, none, awkward };

    void finish(Found& found) {
        if (!has_nul_) return;
        found.problem = Problem{Problem::nul, 0};
    }

    // Reads on; a line or topic that fills the buffer doubles it. Bytes before `kept` go.
    void more(uint64_t kept) {
        const uint64_t n_kept = buffer_.stop() - kept;
        const uint64_t n_more = std::min(std::max(plan_.chunk, n_kept), source_.size - buffer_.stop());
        char* const to = buffer_.room(n_more, buffer_.begin() + (kept - buffer_.start()),
                                      [this](const char* from, const char* now) { judge_.moved(from, now); });
        source_.read(to, n_more, buffer_.stop());
        buffer_.added(n_more);
        has_nul_ = has_nul_ || find(to, to + n_more, '\0');
    }

    // The first line that begins in the piece, and the topic of the last line of data before it.
    Start look_back(uint64_t begin, uint64_t& first, std::optional<std::string>& topic_before) {
        judge_.restart(std::nullopt, 0);
        for (uint64_t back = std::min<uint64_t>(plan_.piece, 4096);; back *= 8) {
            const uint64_t from = begin - std::min(back, begin - source_.first);
            buffer_.restart(from);
            const char* newline = nullptr;
            while (!newline && buffer_.stop() < limit_) {
                const uint64_t n_seen = std::max(buffer_.stop(), begin - 1) - from;
                more(from);
                if (buffer_.size() > n_seen) newline = find(buffer_.begin() + n_seen, buffer_.end(), '\n');
            }
            if (!newline || from + static_cast<uint64_t>(newline + 1 - buffer_.begin()) >= limit_) return Start::none;
            first = from + static_cast<uint64_t>(newline + 1 - buffer_.begin());
            const char* stop = newline;
            for (bool at_begin = false; !at_begin;) {
                const char* start = stop;
                while (start > buffer_.begin() && start[-1] != '\n') --start;
                at_begin = start == buffer_.begin();
                if (at_begin && from > source_.first) break;  // the line may begin earlier
                const auto line = read_line<1>(start, stop);
                if (line.is_data()) {
                    topic_before.emplace(line.field(0));
                    return Start::here;
                }
                if (!at_begin) stop = start - 1;
            }
            if (from == source_.first) return Start::here;
            if (back > plan_.farthest) return Start::awkward;
        }
    }

    const Source& source_;
    const Plan& plan_;
    Judge judge_;
    Buffer buffer_;
    const std::atomic<bool>& stop_;
    uint64_t limit_ = 0;
    bool has_nul_ = false;
};

// The pieces of a file up to the first one with a problem. `interrupted` is asked a few times a second.
inline Pieces read_pieces(const Source& source, const Pool& pool, bool float32, const Plan& plan,
                          const std::function<bool()>& interrupted) {
    const uint64_t n_pieces = (source.size - source.first + plan.piece - 1) / plan.piece;
    Pieces pieces;
    pieces.found.resize(n_pieces);
    std::atomic<uint64_t> next{0}, end{n_pieces};
    std::atomic<bool> stop{false}, awkward{false};
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable done;
    unsigned n_running = 0;

    const auto work = [&] {
        try {
            PieceReader reader(source, pool, float32, plan, stop);
            for (;;) {
                const uint64_t number = next.fetch_add(1);
                if (number >= end.load() || stop.load()) break;
                if (!reader.read(number, pieces.found[number])) {
                    awkward = true;
                    stop = true;
                }
                if (pieces.found[number].problem) {
                    uint64_t known = end.load();
                    while (number + 1 < known && !end.compare_exchange_weak(known, number + 1)) {
                    }
                }
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            stop = true;
        }
        const std::lock_guard lock(mutex);
        --n_running;
        done.notify_all();
    };

    const auto n_threads = static_cast<unsigned>(std::min<uint64_t>(std::max(plan.n_threads, 1U), n_pieces));
    if (n_threads <= 1 && n_pieces <= 1) {
        n_running = 1;
        work();
    } else {
        std::vector<std::thread> threads;
        threads.reserve(n_threads);
        n_running = n_threads;
        for (unsigned number = 0; number < n_threads; ++number) {
            try {
                threads.emplace_back(work);
            } catch (const std::exception&) {  // no more threads, or no more memory for one
                const std::lock_guard lock(mutex);
                --n_running;
            }
        }
        if (threads.empty()) {
            n_running = 1;
            work();
        }
        {
            std::unique_lock lock(mutex);
            while (!done.wait_for(lock, std::chrono::milliseconds(50), [&] { return n_running == 0; })) {
                lock.unlock();
                if (!stop && interrupted()) {
                    stop = true;
                    pieces.interrupted = true;
                }
                lock.lock();
            }
        }
        for (std::thread& thread : threads) thread.join();
    }
    if (failure) std::rethrow_exception(failure);
    pieces.awkward = awkward;
    pieces.found.resize(std::min(end.load(), n_pieces));
    return pieces;
}

// Calls `look(begin, end, offset)` with the bytes of a file in order, until it returns false.
template <typename Look>
void pass_over(const Source& source, uint64_t stop, const Look& look) {
    constexpr uint64_t chunk = uint64_t{1} << 20;
    const std::unique_ptr<char[]> bytes(new char[chunk]);
    for (uint64_t offset = 0; offset < stop; offset += chunk) {
        const uint64_t n_bytes = source.read(bytes.get(), std::min(chunk, stop - offset), offset);
        if (!look(bytes.get(), bytes.get() + n_bytes, offset)) return;
    }
}

// Finds the lines of a problem; where the file holds a NUL byte, the first of these is the problem.
inline void find_lines(const Source& source, Problem& problem) {
    uint64_t n_newlines = 0;
    pass_over(source, source.size, [&](const char* begin, const char* end, uint64_t offset) {
        if (const char* nul = find(begin, end, '\0')) {
            problem = Problem{Problem::nul, offset + static_cast<uint64_t>(nul - begin)};
            problem.line = n_newlines + count_newlines(begin, nul) + 1;
            return false;
        }
        const auto line_of = [&](uint64_t at, uint64_t& line) {
            if (at >= offset && at - offset <= static_cast<uint64_t>(end - begin)) {
                line = n_newlines + count_newlines(begin, begin + (at - offset)) + 1;
            }
        };
        line_of(problem.at, problem.line);
        line_of(problem.first_at, problem.first_line);
        n_newlines += count_newlines(begin, end);
        return true;
    });
    if (problem.kind == Problem::nul) {
        problem.text.resize(std::min<uint64_t>(Problem::start, source.size - source.first));
        source.read(problem.text.data(), problem.text.size(), source.first);
    }
}

}  // namespace irkit
