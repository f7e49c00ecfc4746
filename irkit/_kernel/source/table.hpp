// A table of another library, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "arrow_reader.hpp"
#include "python.hpp"

namespace irkit {

// The ids of a column end to end, and their offsets.
inline nb::tuple ids_of(const std::vector<std::string_view>& ids) {
    std::vector<int64_t> offsets;
    {
        const nb::gil_scoped_release free;
        offsets.reserve(ids.size() + 1);
        offsets.push_back(0);
        for (const std::string_view id : ids) offsets.push_back(offsets.back() + static_cast<int64_t>(id.size()));
    }
    auto [bytes, to] = new_bytes(static_cast<uint64_t>(offsets.back()));
    {
        const nb::gil_scoped_release free;
        for (const std::string_view id : ids) {
            std::memcpy(to, id.data(), id.size());
            to += id.size();
        }
    }
    return nb::make_tuple(bytes, array_of(std::move(offsets)));
}

inline nb::object value_of(const Values& values, uint64_t row) {
    PyObject* made = nullptr;
    switch (values.kind) {
        case Values::booleans: made = PyBool_FromLong(static_cast<long>(values.whole[row])); break;
        case Values::integers: made = PyLong_FromLongLong(values.whole[row]); break;
        case Values::unsigneds: made = PyLong_FromUnsignedLongLong(static_cast<uint64_t>(values.whole[row])); break;
        case Values::floats: made = PyFloat_FromDouble(values.real[row]); break;
        case Values::bytes: return bytes_of(values.ids[row]);
        default:
            made = PyUnicode_DecodeUTF8(values.ids[row].data(), static_cast<Py_ssize_t>(values.ids[row].size()), "surrogateescape");
    }
    if (!made) throw nb::python_error();
    return nb::steal(made);
}

// Where values are missing, or are of a kind that is seen by nobody but the one who says what is wrong with it.
inline nb::list listed(const Values& values) {
    nb::list all;
    auto missing = values.missing.begin();
    for (uint64_t row = 0; row < values.n_rows; ++row) {
        if (missing != values.missing.end() && *missing == row) {
            all.append(nb::none());
            ++missing;
        } else {
            all.append(value_of(values, row));
        }
    }
    return all;
}

// A column as (bytes, offsets) of its ids, as an array of its numbers, or as a list; None where its type is unknown.
inline nb::object column_of(const ArrowTable& table, int64_t column) {
    Values values{Values::unknown};
    {
        const nb::gil_scoped_release free;
        values = table.values(column);
    }
    if (values.kind == Values::unknown) return nb::none();
    if (!values.missing.empty()) return listed(values);
    switch (values.kind) {
        case Values::texts:
        case Values::bytes: return ids_of(values.ids);
        case Values::integers: return array_of(std::move(values.whole));
        case Values::floats: return array_of(std::move(values.real));
        default: return listed(values);
    }
}

inline void add_table(nb::module_& module) {
    nb::class_<ArrowTable>(module, "Table")
        .def("__init__",
             [](ArrowTable* table, const nb::object& capsule) {
                 auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
                 if (!stream) throw nb::python_error();
                 const nb::gil_scoped_release free;  // the producer may need it, in this thread or another
                 new (table) ArrowTable(*stream);
             })
        .def("names",
             [](const ArrowTable& table) {
                 nb::list names;
                 for (int64_t column = 0; column < table.n_columns(); ++column) {
                     names.append(nb::str(table.name(column).data(), table.name(column).size()));
                 }
                 return names;
             })
        .def("format", [](const ArrowTable& table, int64_t column) { return nb::str(table.format(column).data()); })
        .def("column", &column_of);
}

}  // namespace irkit
