// A run that comes in pieces and only once: standard input, and what is decompressed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "buffer.hpp"
#include "judge.hpp"

namespace irkit {

class Stream {
public:
    Stream(const Pool& pool, bool float32) : judge_(pool, float32) { judge_.restart(std::nullopt, Judge::everything); }

    // Takes the next bytes. What is wrong in them is told at the end: a NUL byte, wherever it is, comes before all else.
    void feed(std::string_view bytes) {
        constexpr std::size_t n_start = byte_order_mark.size() + Problem::start;
        if (start_.size() < n_start) start_.append(bytes.substr(0, n_start - start_.size()));
        if (nul_line_ || bytes.empty()) return;
        if (judge_.problem()) {
            look_for_nul(bytes);
            n_newlines_ += count_newlines(bytes.data(), bytes.data() + bytes.size());
            return;
        }
        const char* kept = judge_.kept() ? judge_.kept() : buffer_.begin() + unread_;
        const uint64_t unread = static_cast<uint64_t>(buffer_.begin() + unread_ - kept);
        char* const added = buffer_.room(bytes.size(), kept, [this](const char* from, const char* to) { judge_.moved(from, to); });
        std::memcpy(added, bytes.data(), bytes.size());
        buffer_.added(bytes.size());
        unread_ = unread;
        const char* fresh = added;
        if (!started_) {
            if (buffer_.size() < byte_order_mark.size()) return;
            start();
            fresh = buffer_.begin();
        }
        look_for_nul({fresh, static_cast<std::size_t>(buffer_.end() - fresh)});
        // A line that goes on and on is read once, when its end has come.
        if (find(fresh, buffer_.end(), '\n')) read(false);
    }

    Found finish() {
        if (!started_) {
            start();
            look_for_nul({buffer_.begin(), buffer_.size()});
        }
        if (!judge_.problem()) read(true);
        if (!judge_.problem()) judge_.finish();
        Found found = judge_.take();
        if (nul_line_) {
            found.problem = Problem{Problem::nul, 0};
            found.problem->line = nul_line_;
            const std::string_view start(start_);
            found.problem->text = start.substr(start.starts_with(byte_order_mark) ? byte_order_mark.size() : 0, Problem::start);
        }
        return found;
    }

private:
    void start() {
        started_ = true;
        const std::string_view first(buffer_.begin() ? buffer_.begin() : "", buffer_.size());
        if (first.starts_with(byte_order_mark)) unread_ = byte_order_mark.size();
    }

    void look_for_nul(std::string_view bytes) {
        const char* const stop = bytes.data() + bytes.size();
        const char* const nul = find(bytes.data(), stop, '\0');
        if (!nul) return;
        if (judge_.problem()) {
            nul_line_ = n_newlines_ + count_newlines(bytes.data(), nul) + 1;
        } else {  // the bytes are in the buffer
            nul_line_ = judge_.n_lines() + count_newlines(buffer_.begin() + unread_, nul) + 1;
        }
    }

    void read(bool last) {
        const char* const begin = buffer_.begin() + unread_;
        const char* const next = judge_.read(begin, buffer_.end(), buffer_.start() + unread_, last);
        unread_ = static_cast<uint64_t>(next - buffer_.begin());
        if (!judge_.problem()) return;
        Problem& problem = *judge_.problem();
        const uint64_t lines_seen = judge_.n_lines();
        problem.line = lines_seen + 1;
        if (problem.kind == Problem::twice) {
            const char* const first = buffer_.begin() + (problem.first_at - buffer_.start());
            problem.first_line = problem.line - count_newlines(first, next);
        }
        n_newlines_ = lines_seen + count_newlines(next, buffer_.end());
    }

    Judge judge_;
    Buffer buffer_;
    uint64_t unread_ = 0;  // in the buffer
    bool started_ = false;
    std::string start_;  // of the file
    uint64_t n_newlines_ = 0;  // of all that came, once there is a problem
    uint64_t nul_line_ = 0;    // from 1
};

}  // namespace irkit
