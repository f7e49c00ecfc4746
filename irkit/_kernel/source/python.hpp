// Bytes, arrays and lists that Python sees.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "columns.hpp"

namespace irkit {

namespace nb = nanobind;

using Numbers = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

inline nb::bytes bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }

// Bytes to be filled before anybody else sees them.
inline std::pair<nb::bytes, char*> new_bytes(uint64_t size) {
    PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (!made) throw nb::python_error();
    return {nb::steal<nb::bytes>(made), PyBytes_AsString(made)};
}

template <typename Number>
nb::object array_of(std::vector<Number> numbers) {
    auto* const kept = new std::vector<Number>(std::move(numbers));
    const nb::capsule owner(kept, [](void* held) noexcept { delete static_cast<std::vector<Number>*>(held); });
    const std::size_t size = kept->size();
    // An empty vector has no data, and an array wants some.
    static Number nothing{};
    return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(size ? kept->data() : &nothing, {size}, owner));
}

// An array to be filled before anybody else sees it.
template <typename Number>
std::pair<nb::object, Number*> new_array(uint64_t size) {
    auto* const numbers = new Number[size];
    const nb::capsule owner(numbers, [](void* held) noexcept { delete[] static_cast<Number*>(held); });
    return {nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(numbers, {size}, owner)), numbers};
}

inline nb::list list_of(const std::vector<std::string_view>& ids) {
    nb::list listed;
    for (const std::string_view id : ids) listed.append(bytes_of(id));
    return listed;
}

// Ids of rows end to end, their offsets, and one number a row.
template <typename RowType, typename Number>
nb::tuple columns_of(Columns<RowType>& columns, Number RowType::* number) {
    std::vector<int64_t> offsets;
    std::vector<Number> numbers;
    {
        const nb::gil_scoped_release free;
        offsets.reserve(columns.rows.size() + 1);
        numbers.reserve(columns.rows.size());
        offsets.push_back(0);
        for (const RowType& row : columns.rows) {
            offsets.push_back(offsets.back() + static_cast<int64_t>(row.size));
            numbers.push_back(row.*number);
        }
    }
    auto [ids, to] = new_bytes(static_cast<uint64_t>(offsets.back()));
    {
        const nb::gil_scoped_release free;
        for (const RowType& row : columns.rows) {
            std::memcpy(to, row.text, row.size);
            to += row.size;
        }
    }
    return nb::make_tuple(list_of(columns.topics), array_of(std::move(columns.starts)), ids, array_of(std::move(offsets)),
                          array_of(std::move(numbers)), bytes_of(columns.tag));
}

}  // namespace irkit
