// A libFuzzer target: any bytes as qrels and run. Whatever they hold, the kernel says what plain.hpp says, however the
// file is read; what is written reads back equal; no byte is read that is not there.
//
// An input is qrels, a line of `---`, and a run; its last three bytes say how the run is cut. Without the line all is run
// and qrels at once.

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "columns.hpp"
#include "file.hpp"
#include "plain.hpp"
#include "pool.hpp"
#include "retrieved.hpp"
#include "run_file.hpp"
#include "stream.hpp"
#include "survey.hpp"
#include "writer.hpp"

namespace {

using irkit::int64_t;
using irkit::uint64_t;

void require(bool holds, const char* law) {
    if (holds) return;
    std::fprintf(stderr, "irkit: broken law: %s\n", law);
    __builtin_trap();
}

uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

// Bytes with nothing before and nothing behind, so that the sanitizer sees who reads there.
class Exactly {
public:
    explicit Exactly(std::string_view bytes) : bytes_(new char[bytes.size()]), size_(bytes.size()) {
        if (size_) std::memcpy(bytes_.get(), bytes.data(), size_);
    }
    std::string_view view() const { return {bytes_.get(), size_}; }

private:
    std::unique_ptr<char[]> bytes_;
    std::size_t size_;
};

// How the run is cut: bytes of a piece, read at once, fed at once.
struct Cuts {
    uint64_t piece, chunk, feed;
    unsigned n_threads;
    bool float32;
};

void check_fault(const std::optional<irkit::Problem>& problem, const std::optional<plain::Fault>& fault, const char* law) {
    require(problem.has_value() == fault.has_value(), law);
    if (!problem) return;
    const uint64_t first = problem->kind == irkit::Problem::twice ? problem->first_line : 0;
    const plain::Fault found{problem->kind, problem->line, first, problem->n_fields, problem->text, problem->topic};
    require(found == *fault, law);
}

// Numbers -----------------------------------------------------------------------------------------------------------

void check_score(std::string_view text) {
    const std::string padded = "1 Q0 a 1 " + std::string(text);
    const Exactly held(padded);
    double fast = 0, any = 0, expected = 0;
    const std::string_view field = held.view().substr(9);
    if (field.empty()) return;
    const bool is_score = plain::read_score(std::string(field), expected);
    require(irkit::read_score(field, fast) == is_score, "a score is what strtod reads");
    require(irkit::read_any_score(field, any) == is_score, "a score is what strtod reads, the slower way");
    if (!is_score) return;
    require(bits(fast) == bits(expected), "a score has the bits that strtod gives it");
    require(bits(any) == bits(expected), "a score has the bits that strtod gives it, the slower way");
}

void check_written(double score) {
    if (std::isnan(score)) return;
    std::string text;
    irkit::append_score(text, score);
    require(bits(std::strtod(text.c_str(), nullptr)) == bits(score), "a written score reads back equal");
    check_score(text);
    if (std::isinf(score) || score == 0) return;
    const std::size_t first = text.find_first_not_of("-0.");
    std::size_t last = std::min(text.find('e'), text.size());
    while (text[last - 1] == '0' || text[last - 1] == '.') --last;
    const auto n_digits = static_cast<int>(last - first) - (text.find('.', first) < last);
    if (n_digits < 2) return;
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*e", n_digits - 2, score);
    require(std::strtod(shorter, nullptr) != score, "a written score has the fewest digits that read back equal");
}

// Whole files -------------------------------------------------------------------------------------------------------

template <typename Row, typename Number>
void check_columns(const irkit::Columns<Row>& columns, const plain::Table<Number>& table, Number Row::* number, const char* law) {
    check_fault(columns.problem, table.fault, law);
    if (table.fault) return;
    require(columns.topics.size() == table.topics.size() && columns.starts.size() == columns.topics.size() + 1, law);
    std::size_t place = 0, row = 0;
    for (const auto& [topic, documents] : table.topics) {
        require(columns.topics[place] == topic && columns.starts[place] == static_cast<int64_t>(row), law);
        for (const auto& document : documents) {
            require(columns.rows[row].id() == document.id, law);
            require(std::memcmp(&(columns.rows[row].*number), &document.number, sizeof(Number)) == 0, law);
            ++row;
        }
        ++place;
    }
    require(columns.rows.size() == row && columns.starts.back() == static_cast<int64_t>(row), law);
}

plain::Table<int64_t> check_qrels(std::string_view data, unsigned n_threads) {
    const Exactly held(data);
    const plain::Table<int64_t> table = plain::qrels_of(data);
    check_columns(irkit::parse_qrels(held.view(), n_threads), table, &irkit::GradedRow::grade, "qrels are read as they stand");
    // Cut in two after a line, the first half says what the whole says of it.
    const std::size_t cut = data.find('\n', data.size() / 2);
    if (cut == std::string_view::npos) return table;
    const Exactly half(data.substr(0, cut + 1));
    const auto first = irkit::parse_qrels(half.view(), 1);
    if (first.problem) {
        check_fault(first.problem, table.fault, "a fault of a half is one of the whole");
    } else if (!table.fault) {
        for (std::size_t place = 0; place < first.topics.size(); ++place) {
            const auto& documents = table.topics.at(std::string(first.topics[place]));
            const auto begin = static_cast<std::size_t>(first.starts[place]), end = static_cast<std::size_t>(first.starts[place + 1]);
            require(end - begin <= documents.size(), "qrels of a half begin those of the whole");
            for (std::size_t row = begin; row < end; ++row) {
                require(first.rows[row].id() == documents[row - begin].id, "qrels of a half begin those of the whole");
            }
        }
    }
    return table;
}

plain::Table<double> check_run(std::string_view data, unsigned n_threads) {
    const Exactly held(data);
    plain::Table<double> table = plain::run_of(data);
    plain::Table<double> ranked = table;
    for (auto& [topic, documents] : ranked.topics) plain::rank(documents);
    const auto columns = irkit::parse_run(held.view(), n_threads);
    check_columns(columns, ranked, &irkit::Row::score, "a run is read and ranked as it stands");
    if (table.fault) return table;
    require(columns.tag == table.tag, "the tag is that of the last line");
    std::string text;
    for (std::size_t topic = 0; topic < columns.topics.size(); ++topic) {
        for (int64_t row = columns.starts[topic]; row < columns.starts[topic + 1]; ++row) {
            const irkit::Row& document = columns.rows[static_cast<std::size_t>(row)];
            require(irkit::is_field(document.id()) == (document.id().find('\0') == std::string_view::npos), "a field is one");
            const int64_t rank = row - columns.starts[topic] + 1;
            irkit::append_line(text, columns.topics[topic], document.id(), rank, document.score, columns.tag);
            check_written(document.score);
        }
    }
    const Exactly written(text);
    const auto again = irkit::parse_run(written.view(), n_threads);
    check_columns(again, ranked, &irkit::Row::score, "a written run reads back equal");
    require(again.tag == columns.tag, "a written tag reads back equal");
    return table;
}

// Rows ------------------------------------------------------------------------------------------------------------------

// Ids end to end, and where each begins.
struct Column {
    std::string bytes;
    std::vector<int64_t> offsets{0};

    void add(const std::string& id) {
        bytes += id;
        offsets.push_back(static_cast<int64_t>(bytes.size()));
    }
    irkit::Texts texts() const { return {bytes.data(), offsets.data(), offsets.size() - 1}; }
};

// The rows of a run in the order of its lines, as another library would hand them over.
void check_rows(const plain::Table<double>& table, unsigned n_threads) {
    std::map<uint64_t, std::pair<std::string, plain::Document<double>>> lines;
    for (const auto& [topic, documents] : table.topics) {
        for (const auto& document : documents) lines.insert({document.line, {topic, document}});
    }
    Column topics, documents;
    std::vector<double> scores;
    for (const auto& [line, row] : lines) {
        topics.add(row.first);
        documents.add(row.second.id);
        scores.push_back(row.second.number);
    }
    auto columns = irkit::gather<irkit::Row>(topics.texts(), documents.texts(), scores.data(), n_threads);
    const auto twice = irkit::first_twice(topics.texts(), documents.texts());
    const bool stands_twice = table.fault && table.fault->kind == irkit::Problem::twice;
    require(columns.has_value() != stands_twice && twice.has_value() == stands_twice, "rows stand twice where lines do");
    if (stands_twice) {  // its line is the last that was read
        const auto first = std::distance(lines.begin(), lines.find(table.fault->first));
        require(twice->row == lines.size() - 1 && twice->first == static_cast<uint64_t>(first), "both rows are named");
        return;
    }
    plain::Table<double> expected = table;
    expected.fault.reset();
    std::erase_if(expected.topics, [](const auto& topic) { return topic.second.empty(); });
    check_columns(*columns, expected, &irkit::Row::score, "rows are gathered in their order");
    for (auto& [topic, ranked] : expected.topics) plain::rank(ranked);
    irkit::rank_topics(*columns, n_threads);
    check_columns(*columns, expected, &irkit::Row::score, "rows are ranked");
}

// Surveys ---------------------------------------------------------------------------------------------------------------

void check_survey(std::string_view data, const Cuts& cuts) {
    const Exactly held(data);
    const irkit::Survey found = irkit::survey_run(held.view(), cuts.n_threads, cuts.piece);
    const plain::Survey expected = plain::survey_of(data);
    require(found.n_lines == expected.n_lines && found.n_rows == expected.n_rows, "a survey counts lines and rows");
    require(found.topics.size() == expected.topics.size(), "a survey finds the topics");
    const auto pair = [](const std::vector<int64_t>& pairs, std::size_t place) { return std::pair(pairs[2 * place], pairs[2 * place + 1]); };
    std::size_t topic = 0;
    for (const auto& [id, rows] : expected.topics) {
        require(found.topics[topic] == id && found.first[topic] == static_cast<int64_t>(rows[0].line), "a survey finds the topics");
        require(found.n_documents[topic] == static_cast<int64_t>(rows.size()), "a survey counts documents");
        require(found.n_parts[topic] == expected.n_parts.at(id), "a survey counts the parts of topics");
        require(found.n_tied[topic] == plain::n_tied<double>(rows), "a survey counts ties");
        require(found.n_tied_float32[topic] == plain::n_tied<float>(rows), "a survey counts ties of 32-bit floats");
        require(pair(found.misplaced, topic) == plain::first_pair(rows, plain::is_misplaced), "a survey finds misplaced ties");
        require(pair(found.contradiction, topic) == plain::first_pair(rows, plain::is_against), "a survey finds ranks against scores");
        ++topic;
    }
    require(found.tags.size() == expected.tags.size() && found.n_other_tags == expected.n_other_tags, "a survey finds tags");
    for (std::size_t place = 0; place < expected.tags.size(); ++place) {
        const plain::Tag tag{std::string(found.tags[place]), static_cast<uint64_t>(found.tag_first[place]), static_cast<uint64_t>(found.tag_rows[place])};
        require(tag == expected.tags[place], "a survey counts the rows of a tag");
    }
    require(found.kind.size() == expected.faults.size(), "a survey finds all faults");
    for (std::size_t place = 0; place < expected.faults.size(); ++place) {
        const plain::LineFault fault{found.kind[place], static_cast<uint64_t>(found.line[place]), static_cast<uint64_t>(found.start[place]),
                                     static_cast<uint64_t>(found.other[place])};
        require(fault == expected.faults[place], "a survey finds a fault where it is");
    }
}

// Runs that are only scored -----------------------------------------------------------------------------------------

struct Scored {
    std::vector<std::string> topics;
    std::vector<int64_t> lengths, topic, rank, grade, first, last;
    std::string tag;

    bool operator==(const Scored&) const = default;
};

struct Outcome {
    std::optional<plain::Fault> fault;
    std::optional<Scored> scored;  // neither where topics lie scattered
};

// As module.cpp does it.
Outcome outcome_of(const std::vector<irkit::Found>& pieces, const std::optional<irkit::Problem>& problem) {
    Outcome outcome;
    std::optional<irkit::Retrieved> all;
    if (!problem || problem->kind != irkit::Problem::nul) {
        all = irkit::put_together(pieces);
        if (!all) return outcome;
    }
    if (problem) {
        const uint64_t first = problem->kind == irkit::Problem::twice ? problem->first_line : 0;
        outcome.fault = plain::Fault{problem->kind, problem->line, first, problem->n_fields, problem->text, problem->topic};
        return outcome;
    }
    Scored scored{{}, std::move(all->lengths), std::move(all->topic), std::move(all->rank), std::move(all->grade),
                  std::move(all->first), std::move(all->last), std::string(all->tag)};
    for (const std::string_view topic : all->topics) scored.topics.emplace_back(topic);
    outcome.scored = std::move(scored);
    return outcome;
}

irkit::Pool pool_of(const plain::Table<int64_t>& qrels) {
    std::string topics, ids;
    std::vector<int64_t> topic_offsets{0}, starts{0}, offsets{0}, grades;
    for (const auto& [topic, documents] : qrels.topics) {
        topics += topic;
        topic_offsets.push_back(static_cast<int64_t>(topics.size()));
        for (const auto& document : documents) {
            ids += document.id;
            offsets.push_back(static_cast<int64_t>(ids.size()));
            grades.push_back(document.number);
        }
        starts.push_back(static_cast<int64_t>(grades.size()));
    }
    return {std::move(topics), std::move(topic_offsets), std::move(starts), std::move(ids), std::move(offsets), std::move(grades)};
}

Outcome expected_of(std::string_view data, plain::Table<double> run, const plain::Table<int64_t>& qrels, bool float32) {
    Outcome expected;
    if (const std::size_t nul = data.find('\0'); nul != std::string_view::npos) {
        const auto line = static_cast<uint64_t>(std::count(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(nul), '\n')) + 1;
        expected.fault = plain::Fault{irkit::Problem::nul, line, 0, 0, std::string(data.substr(0, irkit::Problem::start))};
        return expected;
    }
    if (run.scattered) return expected;
    if (run.fault) {
        expected.fault = run.fault;
        return expected;
    }
    Scored scored;
    scored.tag = run.tag;
    for (auto& [topic, documents] : run.topics) {
        scored.topics.push_back(topic);
        scored.lengths.push_back(static_cast<int64_t>(documents.size()));
        if (float32) {
            for (auto& document : documents) document.number = static_cast<double>(static_cast<float>(document.number));
        }
        plain::rank(documents);
    }
    int64_t place = 0;
    for (const auto& [topic, judged] : qrels.topics) {
        if (const auto found = run.topics.find(topic); found != run.topics.end()) {
            int64_t rank = 0;
            for (const auto& document : found->second) {
                ++rank;
                for (const auto& known : judged) {
                    if (known.id != document.id) continue;
                    scored.topic.push_back(place);
                    scored.rank.push_back(rank);
                    scored.grade.push_back(known.number);
                    const plain::Tie tie = plain::tie_of(found->second, document.number);
                    scored.first.push_back(tie.first);
                    scored.last.push_back(tie.last);
                }
            }
        }
        ++place;
    }
    expected.scored = std::move(scored);
    return expected;
}

void check_outcome(const Outcome& found, const Outcome& expected, const char* law) {
    require(found.fault == expected.fault, law);
    require(found.scored == expected.scored, law);
}

void check_stream(std::string_view data, const irkit::Pool& pool, const Cuts& cuts, const Outcome& expected) {
    irkit::Stream stream(pool, cuts.float32);
    for (uint64_t place = 0; place < data.size(); place += cuts.feed) {
        const Exactly piece(data.substr(place, cuts.feed));
        stream.feed(piece.view());
    }
    std::vector<irkit::Found> pieces(1);
    pieces[0] = stream.finish();
    check_outcome(outcome_of(pieces, pieces[0].problem), expected, "a run that comes in pieces is the run");
}

// As read_pieces, without its threads: they take longer to start than most inputs to read.
irkit::Pieces in_order(const irkit::Source& source, const irkit::Pool& pool, bool float32, const irkit::Plan& plan) {
    const std::atomic<bool> stop{false};
    irkit::PieceReader reader(source, pool, float32, plan, stop);
    irkit::Pieces pieces;
    for (uint64_t number = 0; source.first + number * plan.piece < source.size; ++number) {
        pieces.awkward |= !reader.read(number, pieces.found.emplace_back());
        if (pieces.awkward || pieces.found.back().problem) break;
    }
    return pieces;
}

void check_run_file(const irkit::Source& source, std::string_view data, const Cuts& cuts) {
    const Exactly held(data.substr(source.first));
    const auto columns = irkit::parse_run(held.view(), 1);
    irkit::RunFile run(source, cuts.piece, cuts.n_threads);
    std::string ids;
    std::vector<int64_t> offsets;
    std::vector<double> scores;
    if (run.is_sound()) {
        ids.resize(run.n_bytes());
        offsets.resize(run.n_rows() + 1);
        scores.resize(run.n_rows());
        run.fill(ids.data(), offsets.data(), scores.data());
    }
    const bool is_sound = !columns.problem && !columns.topics.empty() && data.find('\0') == std::string_view::npos;
    require(run.is_sound() == is_sound, "a file without a fault is sound");
    if (!is_sound) return;
    require(run.topics() == columns.topics && run.starts() == columns.starts, "its topics are those of its bytes");
    require(run.tag() == columns.tag, "its tag is that of its bytes");
    require(scores.size() == columns.rows.size(), "its rows are those of its bytes");
    for (std::size_t row = 0; row < scores.size(); ++row) {
        const auto from = static_cast<std::size_t>(offsets[row]), to = static_cast<std::size_t>(offsets[row + 1]);
        require(ids.substr(from, to - from) == columns.rows[row].id(), "its ids are those of its bytes");
        require(bits(scores[row]) == bits(columns.rows[row].score), "its scores are those of its bytes");
    }
}

void check_file(std::string_view data, const irkit::Pool& pool, const Cuts& cuts, const Outcome& expected) {
    static const int file = memfd_create("run", 0);
    require(file >= 0 && ftruncate(file, static_cast<off_t>(data.size())) == 0, "there is a file");
    require(pwrite(file, data.data(), data.size(), 0) == static_cast<ssize_t>(data.size()), "the file is written");
    const irkit::Source source(file, data.size());
    check_run_file(source, data, cuts);
    const irkit::Plan plan{cuts.piece, cuts.chunk, cuts.piece * 256, cuts.n_threads};
    irkit::Pieces pieces = cuts.n_threads > 1 ? irkit::read_pieces(source, pool, cuts.float32, plan, [] { return false; })
                                              : in_order(source, pool, cuts.float32, plan);
    require(!pieces.interrupted, "nobody interrupts");
    if (pieces.awkward) return;
    std::optional<irkit::Problem> problem;
    if (!pieces.found.empty()) problem = pieces.found.back().problem;
    if (problem) irkit::find_lines(source, *problem);
    check_outcome(outcome_of(pieces.found, problem), expected, "a run in a file that is read in pieces is the run");
}

void check_mapping(const plain::Table<double>& run, const irkit::Pool& pool, const Cuts& cuts, Outcome expected) {
    irkit::Judge judge(pool, cuts.float32);
    judge.restart(std::nullopt, irkit::Judge::everything);
    for (const auto& [topic, documents] : run.topics) {
        std::vector<irkit::Row> rows;
        for (const auto& document : documents) rows.push_back({document.id.data(), document.id.size(), document.number});
        require(judge.take_topic(topic, rows), "no document stands twice");
    }
    std::vector<irkit::Found> pieces(1);
    pieces[0] = judge.take();
    expected.scored->tag.clear();
    check_outcome(outcome_of(pieces, std::nullopt), expected, "a run in a mapping is the run");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    if (size < 3) return 0;
    const std::string_view input(reinterpret_cast<const char*>(bytes), size - 3);
    const uint64_t how = bytes[size - 3], piece = bytes[size - 2], feed = bytes[size - 1];
    const Cuts cuts{1 + piece, 1 + (how >> 4) * 13, 1 + feed, (how & 7) == 7 ? 3U : 1U, (how & 8) != 0};
    constexpr std::string_view between = "\n---\n";
    const std::size_t place = input.find(between);
    const std::string_view judged = input.substr(0, place);
    const std::string_view file = place == std::string_view::npos ? input : input.substr(place + between.size());
    const std::string_view data = file.starts_with(irkit::byte_order_mark) ? file.substr(3) : file;

    plain::Table<int64_t> qrels = check_qrels(judged, cuts.n_threads);
    if (place == std::string_view::npos) check_qrels(data, cuts.n_threads);
    const plain::Table<double> run = check_run(data, cuts.n_threads);
    check_rows(run, cuts.n_threads);
    check_survey(data, cuts);
    if (qrels.fault) {  // then every second document is judged
        qrels = {};
        int64_t grade = 0;
        for (const auto& [topic, documents] : run.topics) {
            for (const auto& document : documents) {
                if (++grade % 2 && !run.fault) qrels.topics[topic].push_back({document.id, grade, 0});
            }
        }
    }
    const irkit::Pool pool = pool_of(qrels);
    const Outcome expected = expected_of(data, run, qrels, cuts.float32);
    check_stream(file, pool, cuts, expected);
    check_file(file, pool, cuts, expected);
    if (expected.scored) check_mapping(run, pool, cuts, expected);

    check_score(data.substr(0, data.find('\n')));
    if (data.size() >= 8) {
        double any;
        std::memcpy(&any, data.data(), 8);
        check_written(any);
    }
    return 0;
}
