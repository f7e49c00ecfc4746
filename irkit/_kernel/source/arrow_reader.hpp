// Tables of other libraries, taken over by the Arrow C stream interface and read where they lie.
//
// Reference: the Arrow columnar format.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "arrow.hpp"
#include "text.hpp"

namespace irkit {

// The values of a column; ids belong to the table.
struct Values {
    enum Kind { unknown, nothing, booleans, integers, unsigneds, floats, texts, bytes };

    Kind kind;
    std::vector<int64_t> whole{};  // booleans, integers, and the bits of unsigneds
    std::vector<double> real{};
    std::vector<std::string_view> ids{};
    std::vector<uint64_t> missing{};  // rows without a value, which hold something all the same
    uint64_t n_rows = 0;

    bool is_missing(uint64_t row) const { return std::binary_search(missing.begin(), missing.end(), row); }
};

// Bytes of one width ("w:8") are of no kind: Polars hands over the addresses of Python objects as such.
inline Values::Kind kind_of(std::string_view format) {
    constexpr struct {
        std::string_view format;
        Values::Kind kind;
    } kinds[] = {
        {"n", Values::nothing},   {"b", Values::booleans}, {"c", Values::integers},  {"s", Values::integers},
        {"i", Values::integers},  {"l", Values::integers}, {"C", Values::integers},  {"S", Values::integers},
        {"I", Values::integers},  {"L", Values::unsigneds}, {"e", Values::floats},   {"f", Values::floats},
        {"g", Values::floats},    {"u", Values::texts},    {"U", Values::texts},     {"vu", Values::texts},
        {"z", Values::bytes},     {"Z", Values::bytes},    {"vz", Values::bytes},
    };
    for (const auto& known : kinds) {
        if (known.format == format) return known.kind;
    }
    return Values::unknown;
}

// A 16-bit float: sign, 5 bits of exponent, 10 of fraction.
inline double half_float(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = std::ldexp(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);
    if (exponent == 31) size = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    return bits >> 15 ? -size : size;
}

// Reads rows of one array into the values of a column.
class ArrayReader {
public:
    ArrayReader(const ArrowArray& array, int64_t first, int64_t length, Values& to)
        : array_(array), start_(array.offset + first), length_(length), to_(to) {
        if (first < 0 || length < 0 || array.offset < 0 || first + length > array.length) damaged();
    }

    void read(const ArrowSchema& schema) {
        if (length_ == 0) return;
        if (schema.dictionary) {
            read_dictionary(schema);
            return;
        }
        const std::string_view format = schema.format;
        if (format != "n") find_missing();
        switch (format[0]) {
            case 'n':
                for (int64_t row = 0; row < length_; ++row) to_.missing.push_back(row_of(row));
                break;
            case 'b': read_bits(); break;
            case 'c': read_whole<int8_t>(); break;
            case 's': read_whole<int16_t>(); break;
            case 'i': read_whole<int32_t>(); break;
            case 'l': read_whole<int64_t>(); break;
            case 'C': read_whole<uint8_t>(); break;
            case 'S': read_whole<uint16_t>(); break;
            case 'I': read_whole<uint32_t>(); break;
            case 'L': read_whole<uint64_t>(); break;
            case 'e': read_real<uint16_t>(half_float); break;
            case 'f': read_real<float>([](float number) { return static_cast<double>(number); }); break;
            case 'g': read_real<double>([](double number) { return number; }); break;
            case 'u':
            case 'z': read_ids<int32_t>(); break;
            case 'U':
            case 'Z': read_ids<int64_t>(); break;
            case 'v': read_views(); break;
            default: damaged();
        }
        to_.n_rows += static_cast<uint64_t>(length_);
    }

    // Rows without a value, of this array alone.
    void find_missing() {
        const auto* const valid = static_cast<const uint8_t*>(array_.n_buffers > 0 ? array_.buffers[0] : nullptr);
        if (!valid || array_.null_count == 0) return;
        for (int64_t row = 0; row < length_; ++row) {
            if (!bit(valid, row)) to_.missing.push_back(row_of(row));
        }
    }

    [[noreturn]] static void damaged() { throw std::runtime_error("its Arrow arrays are not as the format has them"); }

private:
    uint64_t row_of(int64_t row) const { return to_.n_rows + static_cast<uint64_t>(row); }
    bool bit(const uint8_t* bits, int64_t row) const { return bits[(start_ + row) >> 3] >> ((start_ + row) & 7) & 1; }

    const char* buffer(int64_t number) const {
        if (number >= array_.n_buffers || !array_.buffers[number]) damaged();
        return static_cast<const char*>(array_.buffers[number]);
    }

    // Nobody has to align a buffer.
    template <typename Number>
    static Number load(const char* bytes, int64_t place) {
        Number number;
        std::memcpy(&number, bytes + place * static_cast<int64_t>(sizeof number), sizeof number);
        return number;
    }

    void read_bits() {
        const auto* const bits = reinterpret_cast<const uint8_t*>(buffer(1));
        for (int64_t row = 0; row < length_; ++row) to_.whole.push_back(bit(bits, row));
    }

    template <typename Number>
    void read_whole() {
        const char* const numbers = buffer(1);
        for (int64_t row = 0; row < length_; ++row) {
            to_.whole.push_back(static_cast<int64_t>(load<Number>(numbers, start_ + row)));
        }
    }

    template <typename Number, typename Widen>
    void read_real(const Widen& widen) {
        const char* const numbers = buffer(1);
        for (int64_t row = 0; row < length_; ++row) to_.real.push_back(widen(load<Number>(numbers, start_ + row)));
    }

    template <typename Offset>
    void read_ids() {
        const char* const offsets = buffer(1);
        const auto* const bytes = static_cast<const char*>(array_.n_buffers > 2 ? array_.buffers[2] : nullptr);
        for (int64_t row = 0; row < length_; ++row) {
            const int64_t low = load<Offset>(offsets, start_ + row), high = load<Offset>(offsets, start_ + row + 1);
            if (low < 0 || high < low || (high > low && !bytes)) damaged();
            add(high > low ? bytes + low : "", high - low);
        }
    }

    // 16 bytes a row: the size, and up to 12 bytes; or of more the first 4, the number of their buffer and where in it.
    void read_views() {
        const char* const views = buffer(1);
        for (int64_t row = 0; row < length_; ++row) {
            const char* const view = views + 16 * (start_ + row);
            const int64_t size = load<int32_t>(view, 0), number = load<int32_t>(view, 2), from = load<int32_t>(view, 3);
            if (to_is_missing(row)) {
                add("", 0);
            } else if (size <= 12) {
                add(view + 4, size);
            } else {
                if (number < 0 || from < 0 || number + 3 >= array_.n_buffers) damaged();
                add(buffer(number + 2) + from, size);
            }
        }
    }

    bool to_is_missing(int64_t row) const { return !to_.missing.empty() && to_.is_missing(row_of(row)); }

    void add(const char* bytes, int64_t size) {
        if (size < 0) damaged();
        to_.ids.emplace_back(bytes, static_cast<std::size_t>(size));
    }

    void read_dictionary(const ArrowSchema& schema) {
        if (!array_.dictionary || schema.dictionary->dictionary) damaged();
        Values entries{to_.kind}, codes{kind_of(schema.format)};
        ArrayReader(*array_.dictionary, 0, array_.dictionary->length, entries).read(*schema.dictionary);
        ArrowSchema plain = schema;
        plain.dictionary = nullptr;
        ArrayReader(array_, start_ - array_.offset, length_, codes).read(plain);
        const auto copy = [](auto& to, const auto& from, uint64_t entry) {
            if (!from.empty()) to.push_back(from[entry]);
        };
        for (uint64_t row = 0; row < codes.n_rows; ++row, ++to_.n_rows) {
            const bool given = codes.missing.empty() || !codes.is_missing(row);
            const auto entry = given ? static_cast<uint64_t>(codes.whole[row]) : 0;
            if (given && entry >= entries.n_rows) damaged();
            if (!given || (!entries.missing.empty() && entries.is_missing(entry))) to_.missing.push_back(to_.n_rows);
            if (entries.n_rows == 0) {  // nothing to hold the place of what is missing
                add_nothing();
                continue;
            }
            copy(to_.whole, entries.whole, entry);
            copy(to_.real, entries.real, entry);
            copy(to_.ids, entries.ids, entry);
        }
    }

    void add_nothing() {
        to_.whole.push_back(0);
        to_.real.push_back(0);
        to_.ids.emplace_back("", 0U);
    }

    const ArrowArray& array_;
    int64_t start_;
    int64_t length_;
    Values& to_;
};

// A stream of batches, taken over and read to its end; what its producer holds is given back when the table goes.
class ArrowTable {
public:
    explicit ArrowTable(ArrowArrayStream& given) {
        if (!given.release) throw std::runtime_error("its stream was read already");
        Owned<ArrowArrayStream> stream(given);
        ArrowArrayStream* const source = stream.get();
        check(source, source->get_schema(source, schema_.get()));
        if (std::string_view(schema_->format) != "+s") throw std::runtime_error("it has no columns");
        for (;;) {
            Owned<ArrowArray> batch;
            check(source, source->get_next(source, batch.get()));
            if (!batch->release) break;
            if (batch->n_children != schema_->n_children || batch->length < 0 || batch->offset < 0) ArrayReader::damaged();
            batches_.push_back(std::move(batch));
        }
    }

    int64_t n_columns() const { return schema_->n_children; }
    std::string_view name(int64_t column) const { return text_of(schema(column).name); }
    std::string_view format(int64_t column) const { return text_of(schema(column).format); }

    Values values(int64_t column) const {
        const ArrowSchema& type = schema(column);
        Values found{kind_of(type.dictionary ? type.dictionary->format : type.format)};
        if (found.kind == Values::unknown) return found;
        for (const Owned<ArrowArray>& batch : batches_) {
            Values without{Values::nothing};  // a batch can leave out whole rows
            without.n_rows = found.n_rows;
            ArrayReader(*batch, 0, batch->length, without).find_missing();
            ArrayReader(*batch->children[column], batch->offset, batch->length, found).read(type);
            found.missing.insert(found.missing.end(), without.missing.begin(), without.missing.end());
        }
        std::sort(found.missing.begin(), found.missing.end());
        found.missing.erase(std::unique(found.missing.begin(), found.missing.end()), found.missing.end());
        return found;
    }

private:
    static std::string_view text_of(const char* text) { return text ? text : ""; }
    const ArrowSchema& schema(int64_t column) const { return *schema_->children[column]; }

    static void check(ArrowArrayStream* stream, int code) {
        if (code == 0) return;
        const char* const said = stream->get_last_error(stream);
        throw std::runtime_error(said && *said ? said : std::strerror(code));
    }

    Owned<ArrowSchema> schema_;
    std::vector<Owned<ArrowArray>> batches_;
};

}  // namespace irkit
