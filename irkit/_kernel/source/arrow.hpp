// The Arrow C data and stream interfaces, by which other libraries hand over their tables.
//
// References: the Arrow C data interface and the Arrow C stream interface, of the Arrow format's specification.
#pragma once

#include <cstdint>

namespace irkit {

using std::int64_t;

// The three structures of the interface, as every producer lays them out.
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

// One of them, released once by whoever holds it last.
template <typename Structure>
class Owned {
public:
    Owned() = default;
    // Takes it from its holder, who sees it as released.
    explicit Owned(Structure& other) : held_(other) { other.release = nullptr; }
    Owned(Owned&& other) noexcept : Owned(other.held_) {}
    Owned& operator=(Owned&&) = delete;
    ~Owned() {
        if (held_.release) held_.release(&held_);
    }
    Structure* get() { return &held_; }
    const Structure* operator->() const { return &held_; }
    const Structure& operator*() const { return held_; }

private:
    Structure held_{};
};

}  // namespace irkit
