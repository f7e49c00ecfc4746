// What Python sees of the compiled kernel; irkit/_kernel/compiled.py gives it the signatures of the twin.

#include <nanobind/nanobind.h>

#include <cmath>
#include <vector>

#include "columns.hpp"
#include "fusion.hpp"
#include "judgment_lines.hpp"
#include "pool.hpp"
#include "python.hpp"
#include "retrieved.hpp"
#include "stream.hpp"
#include "survey.hpp"
#include "table.hpp"
#include "writer.hpp"
#ifndef _WIN32
#include "file.hpp"
#include "run_file.hpp"
#endif

namespace nb = nanobind;

namespace {

using irkit::array_of;
using irkit::bytes_of;
using irkit::columns_of;
using irkit::int64_t;
using irkit::list_of;
using irkit::new_array;
using irkit::new_bytes;
using irkit::Numbers;
using irkit::Scores;
using irkit::uint64_t;
using irkit::view;

nb::object told(const std::optional<irkit::Problem>& problem) {
    if (!problem) return nb::none();
    return nb::make_tuple(static_cast<int>(problem->kind), problem->line, problem->first_line, problem->n_fields,
                          bytes_of(problem->text), bytes_of(problem->topic));
}

std::vector<int64_t> copied(const Numbers& numbers) { return {numbers.data(), numbers.data() + numbers.size()}; }

template <typename RowType, typename Number, typename Parse>
nb::tuple parsed(Number RowType::* number, const Parse& parse) {
    irkit::Columns<RowType> columns;
    {
        const nb::gil_scoped_release free;
        columns = parse();
    }
    if (columns.problem) return nb::make_tuple(nb::none(), told(columns.problem));
    return nb::make_tuple(columns_of(columns, number), nb::none());
}

nb::tuple parse_run(const nb::bytes& data, unsigned n_threads) {
    const std::string_view text = view(data);
    return parsed(&irkit::Row::score, [&] { return irkit::parse_run(text, n_threads); });
}

nb::tuple parse_qrels(const nb::bytes& data, unsigned n_threads) {
    const std::string_view text = view(data);
    return parsed(&irkit::GradedRow::grade, [&] { return irkit::parse_qrels(text, n_threads); });
}

// The kernel reads where columns say: those of rows have one length, and it is where the last topic ends.
void check_columns(const Numbers& starts, const Numbers& offsets, const Scores& scores) {
    const std::size_t n_rows = scores.size();
    if (starts.size() == 0 || offsets.size() != n_rows + 1 || static_cast<std::size_t>(starts(starts.size() - 1)) != n_rows) {
        throw nb::value_error("columns of one length are meant");
    }
}

irkit::Texts texts(const nb::bytes& bytes, const Numbers& offsets) {
    return {bytes.c_str(), offsets.data(), offsets.size() - 1};
}

// (columns, rows): N rows in any order, gathered by topic; `rows` are those of a document that stands twice in a topic.
template <typename RowType, typename Array, typename Number, typename Finish>
nb::tuple gathered(const nb::bytes& topic_bytes, const Numbers& topic_offsets, const nb::bytes& bytes, const Numbers& offsets,
                   const Array& numbers, unsigned n_threads, Number RowType::* number, const Finish& finish) {
    const irkit::Texts topics = texts(topic_bytes, topic_offsets), documents = texts(bytes, offsets);
    if (topics.size() != documents.size() || topics.size() != numbers.size()) throw nb::value_error("columns of one length are meant");
    std::optional<irkit::Columns<RowType>> columns;
    std::optional<irkit::Twice> twice;
    {
        const nb::gil_scoped_release free;
        columns = irkit::gather<RowType>(topics, documents, numbers.data(), n_threads);
        if (columns) {
            finish(*columns);
        } else {
            twice = irkit::first_twice(topics, documents);
        }
    }
    if (!columns) return nb::make_tuple(nb::none(), nb::make_tuple(twice->row, twice->first));
    return nb::make_tuple(columns_of(*columns, number), nb::none());
}

nb::tuple rank(const nb::bytes& topics, const Numbers& topic_offsets, const nb::bytes& bytes, const Numbers& offsets,
               const Scores& scores, unsigned n_threads) {
    return gathered<irkit::Row>(topics, topic_offsets, bytes, offsets, scores, n_threads, &irkit::Row::score,
                                [&](irkit::Columns<irkit::Row>& columns) { irkit::rank_topics(columns, n_threads); });
}

nb::tuple gather(const nb::bytes& topics, const Numbers& topic_offsets, const nb::bytes& bytes, const Numbers& offsets,
                 const Numbers& grades, unsigned n_threads) {
    return gathered<irkit::GradedRow>(topics, topic_offsets, bytes, offsets, grades, n_threads, &irkit::GradedRow::grade,
                                      [](irkit::Columns<irkit::GradedRow>&) {});
}

// R ranked runs, each (starts, ids, offsets, scores), and T places for each -> (starts, ids, offsets, ranks, scores).
nb::tuple merge(const nb::list& runs, const Numbers& places, int64_t depth, unsigned n_threads) {
    struct Held {
        Numbers starts;
        nb::bytes ids;
        Numbers offsets;
        Scores scores;
    };
    std::vector<Held> held;
    std::vector<irkit::RankedRun> ranked;
    for (const nb::handle run : runs) {
        held.push_back({nb::cast<Numbers>(run[0]), nb::cast<nb::bytes>(run[1]), nb::cast<Numbers>(run[2]), nb::cast<Scores>(run[3])});
        const Held& last = held.back();
        check_columns(last.starts, last.offsets, last.scores);
        ranked.push_back({last.starts.data(), texts(last.ids, last.offsets), last.scores.data()});
    }
    const std::size_t n_runs = ranked.size();
    if (n_runs == 0 || places.size() % n_runs) throw nb::value_error("a place for each topic and run is meant");
    for (std::size_t cell = 0; cell < places.size(); ++cell) {
        if (places(cell) >= static_cast<int64_t>(held[cell % n_runs].starts.size()) - 1) throw nb::value_error("there is no such place");
    }
    irkit::Merged merged;
    std::vector<int64_t> offsets;
    {
        const nb::gil_scoped_release free;
        merged = irkit::Merger(ranked, places.data(), places.size() / n_runs, depth).merged(n_threads);
        offsets.reserve(merged.documents.size() + 1);
        offsets.push_back(0);
        for (const std::string_view id : merged.documents) offsets.push_back(offsets.back() + static_cast<int64_t>(id.size()));
    }
    auto [ids, to] = new_bytes(static_cast<uint64_t>(offsets.back()));
    {
        const nb::gil_scoped_release free;
        for (const std::string_view id : merged.documents) to = std::copy(id.begin(), id.end(), to);
    }
    return nb::make_tuple(array_of(std::move(merged.starts)), ids, array_of(std::move(offsets)), array_of(std::move(merged.ranks)),
                          array_of(std::move(merged.scores)));
}

// Documents of T topics with new scores, ranked.
nb::tuple rerank(const Numbers& starts, const nb::bytes& data, const Numbers& offsets, const Scores& scores, int64_t depth,
                 unsigned n_threads) {
    check_columns(starts, offsets, scores);
    const irkit::Texts documents = texts(data, offsets);
    irkit::Columns<irkit::Row> ranked;
    {
        const nb::gil_scoped_release free;
        ranked = irkit::rerank(starts.data(), starts.size() - 1, documents, scores.data(), depth, n_threads);
    }
    return columns_of(ranked, &irkit::Row::score);
}

nb::tuple matches_of(std::vector<int64_t> topic, std::vector<int64_t> rank, std::vector<int64_t> grade, std::vector<int64_t> first,
                     std::vector<int64_t> last) {
    return nb::make_tuple(array_of(std::move(topic)), array_of(std::move(rank)), array_of(std::move(grade)),
                          array_of(std::move(first)), array_of(std::move(last)));
}

// A ranked run held against the pool: places[t] is where topic t of the pool stands in the run, -1 where it does not.
nb::tuple match(const irkit::Pool& pool, const Numbers& places, const Numbers& starts, const nb::bytes& data,
                const Numbers& offsets, const Scores& scores) {
    std::vector<int64_t> topic, rank, grade, tie_first, tie_last;
    const auto score = [&scores](int64_t row) { return scores(static_cast<std::size_t>(row)); };
    const char* const ids = data.c_str();
    {
        const nb::gil_scoped_release free;
        irkit::IdTable table;
        const auto id_at = [&pool](uint64_t row) { return pool.id(row); };
        for (uint64_t place = 0; place < pool.n_topics(); ++place) {
            if (places(place) < 0) continue;
            table.restart(pool.start(place + 1) - pool.start(place));
            for (uint64_t row = pool.start(place); row < pool.start(place + 1); ++row) {
                table.insert(pool.id(row), pool.hash(row), row, id_at);
            }
            const int64_t first = starts(static_cast<std::size_t>(places(place)));
            const int64_t end = starts(static_cast<std::size_t>(places(place)) + 1);
            int64_t tie = first, tie_end = first;
            for (int64_t row = first; row < end; ++row) {
                if (row == tie_end) {
                    tie = row;
                    while (tie_end < end && score(tie_end) == score(tie)) ++tie_end;
                }
                const int64_t from = offsets(static_cast<std::size_t>(row));
                const int64_t to = offsets(static_cast<std::size_t>(row) + 1);
                const std::string_view id(ids + from, static_cast<std::size_t>(to - from));
                const auto found = table.find(id, irkit::hash_of(id), id_at);
                if (!found) continue;
                topic.push_back(static_cast<int64_t>(place));
                rank.push_back(row - first + 1);
                grade.push_back(pool.grade(*found));
                tie_first.push_back(tie - first + 1);
                tie_last.push_back(tie_end - first);
            }
        }
    }
    return matches_of(std::move(topic), std::move(rank), std::move(grade), std::move(tie_first), std::move(tie_last));
}

// (result, problem); neither where topics are scattered over the file.
nb::tuple result_of(const std::vector<irkit::Found>& pieces, const std::optional<irkit::Problem>& problem) {
    std::optional<irkit::Retrieved> all;
    if (!problem || problem->kind != irkit::Problem::nul) {
        {
            const nb::gil_scoped_release free;
            all = irkit::put_together(pieces);
        }
        if (!all) return nb::make_tuple(nb::none(), nb::none());
    }
    if (problem) return nb::make_tuple(nb::none(), told(problem));
    return nb::make_tuple(nb::make_tuple(list_of(all->topics), array_of(std::move(all->lengths)),
                                         matches_of(std::move(all->topic), std::move(all->rank), std::move(all->grade), std::move(all->first),
                                                    std::move(all->last)),
                                         bytes_of(all->tag)),
                          nb::none());
}

#ifndef _WIN32
// None where the file has a fault, or none of its lines has data: parse_run says what is wrong.
nb::object parse_file(int descriptor, uint64_t size, unsigned n_threads, uint64_t piece) {
    try {
        std::optional<irkit::RunFile> run;
        {
            const nb::gil_scoped_release free;
            run.emplace(irkit::Source(descriptor, size), piece, n_threads);
        }
        if (!run->is_sound()) return nb::none();
        const auto [ids, to_ids] = new_bytes(run->n_bytes());
        const auto [offsets, to_offsets] = new_array<int64_t>(run->n_rows() + 1);
        const auto [scores, to_scores] = new_array<double>(run->n_rows());
        {
            const nb::gil_scoped_release free;
            run->fill(to_ids, to_offsets, to_scores);
        }
        if (!run->is_sound()) return nb::none();
        return nb::make_tuple(list_of(run->topics()), array_of(std::move(run->starts())), ids, offsets, scores, bytes_of(run->tag()));
    } catch (const std::system_error&) {
        return nb::none();
    } catch (const irkit::ShorterFile&) {
        return nb::none();
    }
}

// As result_of; None where the file has to be read from its start to its end.
nb::object score_file(int descriptor, uint64_t size, const irkit::Pool& pool, bool float32, unsigned n_threads, uint64_t piece,
                      uint64_t chunk) {
    const irkit::Plan plan{piece, chunk, std::min(piece * 256, uint64_t{1} << 20), n_threads};
    irkit::Pieces pieces;
    std::optional<irkit::Problem> problem;
    try {
        const nb::gil_scoped_release free;
        const irkit::Source source(descriptor, size);
        pieces = irkit::read_pieces(source, pool, float32, plan, [] {
            const nb::gil_scoped_acquire held;
            return PyErr_CheckSignals() != 0;
        });
        if (!pieces.interrupted && !pieces.awkward && !pieces.found.empty()) {
            problem = pieces.found.back().problem;
            if (problem) irkit::find_lines(source, *problem);
        }
    } catch (const std::system_error& failure) {
        PyErr_SetObject(PyExc_OSError, nb::make_tuple(failure.code().value(), failure.code().message()).ptr());
        throw nb::python_error();
    } catch (const irkit::ShorterFile&) {
        return nb::make_tuple(nb::none(), told(irkit::Problem{irkit::Problem::shorter, 0}));
    }
    if (pieces.interrupted) throw nb::python_error();
    if (pieces.awkward) return nb::none();
    return result_of(pieces.found, problem);
}
#endif

nb::tuple finish(irkit::Stream& stream) {
    std::vector<irkit::Found> pieces(1);
    {
        const nb::gil_scoped_release free;
        pieces[0] = stream.finish();
    }
    const std::optional<irkit::Problem> problem = pieces[0].problem;
    return result_of(pieces, problem);
}

// The first of some ids that cannot be a field of a line; -1 where all can.
int64_t first_unfit(const nb::bytes& data, const Numbers& offsets) {
    const char* const ids = data.c_str();
    const nb::gil_scoped_release free;
    for (std::size_t place = 0; place + 1 < offsets.size(); ++place) {
        const auto size = static_cast<std::size_t>(offsets(place + 1) - offsets(place));
        if (!irkit::is_field({ids + offsets(place), size})) return static_cast<int64_t>(place);
    }
    return -1;
}

// The lines of a ranked run; T topics end to end with T + 1 offsets.
nb::bytes format_run(const nb::bytes& topics, const Numbers& topic_offsets, const Numbers& starts, const nb::bytes& data,
                     const Numbers& offsets, const Scores& scores, const nb::bytes& tag, unsigned n_threads) {
    const std::string_view names = view(topics), ids = view(data), label = view(tag);
    const std::size_t n_topics = starts.size() - 1;
    const std::size_t n_parts = std::min<std::size_t>(std::max(n_threads, 1U), std::max<std::size_t>(n_topics, 1));
    std::vector<std::string> parts(n_parts);
    const auto piece = [](std::string_view bytes, const Numbers& bounds, std::size_t place) {
        const auto from = static_cast<std::size_t>(bounds(place));
        return bytes.substr(from, static_cast<std::size_t>(bounds(place + 1)) - from);
    };
    {
        const nb::gil_scoped_release free;
        irkit::in_parallel(n_threads, n_parts, [&](uint64_t part) {
            for (std::size_t topic = n_topics * part / n_parts; topic < n_topics * (part + 1) / n_parts; ++topic) {
                const std::string_view name = piece(names, topic_offsets, topic);
                for (int64_t row = starts(topic); row < starts(topic + 1); ++row) {
                    const auto place = static_cast<std::size_t>(row);
                    irkit::append_line(parts[part], name, piece(ids, offsets, place), row - starts(topic) + 1, scores(place), label);
                }
            }
        });
    }
    uint64_t size = 0;
    for (const std::string& part : parts) size += part.size();
    auto [text, to] = new_bytes(size);
    for (std::string& part : parts) {
        std::memcpy(to, part.data(), part.size());
        to += part.size();
        std::string().swap(part);
    }
    return text;
}

// The fields of RunSurvey; pairs of lines end to end.
nb::tuple survey_run(const nb::bytes& data, unsigned n_threads, uint64_t piece) {
    const std::string_view text = view(data);
    irkit::Survey found;
    {
        const nb::gil_scoped_release free;
        found = irkit::survey_run(text, n_threads, piece);
    }
    return nb::make_tuple(found.n_lines, found.n_rows, list_of(found.topics), array_of(std::move(found.first)),
                          array_of(std::move(found.n_documents)), array_of(std::move(found.n_parts)),
                          array_of(std::move(found.n_tied)), array_of(std::move(found.n_tied_float32)),
                          array_of(std::move(found.misplaced)), array_of(std::move(found.contradiction)), list_of(found.tags),
                          array_of(std::move(found.tag_first)), array_of(std::move(found.tag_rows)), found.n_other_tags,
                          array_of(std::move(found.kind)), array_of(std::move(found.line)), array_of(std::move(found.start)),
                          array_of(std::move(found.other)));
}

// The fields of JudgmentLines; None where a line is not of that kind.
nb::object judgment_lines(const nb::bytes& data, const nb::bytes& kinds, unsigned n_threads) {
    const std::string_view text = view(data), letters = view(kinds);
    if (letters.size() != 4 && letters.size() != 5) throw nb::value_error("a line of four or five fields is meant");
    std::optional<irkit::JudgmentLines> found;
    {
        const nb::gil_scoped_release free;
        found = irkit::judgment_lines(text, letters, n_threads);
    }
    if (!found) return nb::none();
    std::vector<int64_t> offsets{0};
    offsets.reserve(found->documents.size() + 1);
    for (const std::string_view id : found->documents) offsets.push_back(offsets.back() + static_cast<int64_t>(id.size()));
    auto [ids, to] = new_bytes(static_cast<uint64_t>(offsets.back()));
    for (const std::string_view id : found->documents) {
        std::memcpy(to, id.data(), id.size());
        to += id.size();
    }
    nb::list wholes, decimals;
    for (auto& numbers : found->wholes) wholes.append(array_of(std::move(numbers)));
    for (auto& numbers : found->decimals) decimals.append(array_of(std::move(numbers)));
    return nb::make_tuple(list_of(found->topics), array_of(std::move(found->starts)), ids, array_of(std::move(offsets)),
                          array_of(std::move(found->document)), list_of(found->names), array_of(std::move(found->name)), wholes,
                          decimals);
}

// NumPy's types whose values are read where they lie. Of all types only the exact ones are: a type made from one of
// them may have other words for what it holds.
struct NumpyTypes {
    PyObject *text, *half, *single, *full;

    bool is_text(PyObject* object) const { return type_of(object) == text; }
    bool is_number(PyObject* object) const {
        const PyObject* const type = type_of(object);
        return type == half || type == single || type == full;
    }

private:
    static const PyObject* type_of(PyObject* object) { return reinterpret_cast<const PyObject*>(Py_TYPE(object)); }
};

// The bytes of a str; they live as long as it does. False where it is none, or has no UTF-8.
bool id_of(PyObject* object, const NumpyTypes& numpy, std::string_view& id) {
    if (!PyUnicode_CheckExact(object) && !numpy.is_text(object)) return false;
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (!text) {
        PyErr_Clear();
        return false;
    }
    id = {text, static_cast<std::size_t>(size)};
    return true;
}

// A float that is not nan, or an int that a float holds exactly; a bool is none of these.
bool score_of(PyObject* object, const NumpyTypes& numpy, double& score) {
    const bool is_int = PyLong_CheckExact(object);
    if (!PyFloat_CheckExact(object) && !is_int && !numpy.is_number(object)) return false;
    score = PyFloat_AsDouble(object);
    if (score == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    constexpr double exact = 9007199254740992;  // 2^53: from here on whole numbers that differ may be one
    return score == score && !(is_int && std::fabs(score) >= exact);
}

inline void prefetch([[maybe_unused]] const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place);
#endif
}

// The objects of one topic: its documents, and their scores where it is a dict and not a list.
struct Objects {
    std::vector<PyObject*> documents, scores;

    bool take(PyObject* given) {
        documents.clear();
        scores.clear();
        if (PyDict_CheckExact(given)) {
            PyObject *document = nullptr, *score = nullptr;
            for (Py_ssize_t place = 0; PyDict_Next(given, &place, &document, &score);) {
                documents.push_back(document);
                scores.push_back(score);
            }
            return true;
        }
        if (!PyList_CheckExact(given)) return false;
        for (Py_ssize_t place = 0; place < PyList_Size(given); ++place) documents.push_back(PyList_GetItem(given, place));
        return true;
    }

    // False where something is not as it mostly is, and Python has to look.
    bool rows(const NumpyTypes& numpy, std::vector<irkit::Row>& rows) const {
        constexpr std::size_t ahead = 12;  // the objects lie all over the memory
        rows.clear();
        for (std::size_t place = 0; place < documents.size(); ++place) {
            if (place + ahead < documents.size()) {
                prefetch(documents[place + ahead]);
                if (!scores.empty()) prefetch(scores[place + ahead]);
            }
            std::string_view id;
            auto score = static_cast<double>(documents.size() - place);
            if (!id_of(documents[place], numpy, id) || (!scores.empty() && !score_of(scores[place], numpy, score))) return false;
            rows.push_back({id.data(), id.size(), score});
        }
        return true;
    }
};

// {topic: {document: score}} or {topic: [document, ...]}. None where Python has to look at it.
nb::object score_mapping(const nb::dict& run, const irkit::Pool& pool, bool float32, const nb::object& text, const nb::object& half,
                         const nb::object& single, const nb::object& full) {
    const NumpyTypes numpy{text.ptr(), half.ptr(), single.ptr(), full.ptr()};
    irkit::Judge judge(pool, float32);
    judge.restart(std::nullopt, irkit::Judge::everything);
    Objects objects;
    std::vector<irkit::Row> rows;
    PyObject *topic = nullptr, *given = nullptr;
    for (Py_ssize_t place = 0; PyDict_Next(run.ptr(), &place, &topic, &given);) {
        std::string_view id;
        if (!id_of(topic, numpy, id) || !objects.take(given) || !objects.rows(numpy, rows) || !judge.take_topic(id, rows)) return nb::none();
    }
    std::vector<irkit::Found> pieces(1);
    pieces[0] = judge.take();
    return result_of(pieces, std::nullopt);
}

}  // namespace

NB_MODULE(_compiled, module) {
    module.def("parse_run", &parse_run);
    module.def("parse_qrels", &parse_qrels);
    module.def("rank", &rank);
    module.def("gather", &gather);
    module.def("match", &match);
    module.def("merge", &merge);
    module.def("rerank", &rerank);
    module.def("first_unfit", &first_unfit);
    module.def("format_run", &format_run);
    module.def("score_mapping", &score_mapping);
    module.def("survey_run", &survey_run);
    module.def("judgment_lines", &judgment_lines);
    nb::class_<irkit::Pool>(module, "Pool")
        .def("__init__", [](irkit::Pool* pool, const nb::bytes& topics, const Numbers& topic_offsets, const Numbers& starts,
                            const nb::bytes& ids, const Numbers& offsets, const Numbers& grades) {
            new (pool) irkit::Pool(std::string(view(topics)), copied(topic_offsets), copied(starts), std::string(view(ids)),
                                   copied(offsets), copied(grades));
        });
    irkit::add_table(module);
    nb::class_<irkit::Stream>(module, "Stream")
        .def(nb::init<const irkit::Pool&, bool>(), nb::keep_alive<1, 2>())
        .def("feed",
             [](irkit::Stream& stream, const nb::bytes& data) {
                 const std::string_view bytes = view(data);
                 const nb::gil_scoped_release free;
                 stream.feed(bytes);
             })
        .def("finish", &finish);
#ifndef _WIN32
    module.def("parse_file", &parse_file);
    module.def("score_file", &score_file);
#endif
}
