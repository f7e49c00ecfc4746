/*
 * The floor: what reading costs in any language.
 *
 * Every line of a run is parsed once (six fields, the score as a double) and its document looked up in the qrels, on as
 * many threads as are named. Nothing is ordered, checked or measured, so no program that scores a run can be faster.
 *
 *     cc -O2 -pthread bare.c -o bare && ./bare RUN QRELS THREADS
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "hash() masks the last word of a key as little-endian");

enum { PIECE = 1 << 20, TAIL = 1 << 12, MAX_THREADS = 64 }; /* a line begins in its piece and ends in its tail */

typedef struct { const char *at; size_t length; } Field;
typedef struct { Field topic, document; int relevant; } Judgment;
typedef struct { uint64_t lines, judged, relevant; double scores; char padding[64]; } Sums;

static Judgment *table;
static size_t mask;
static int run;
static size_t size;
static atomic_size_t next_piece;

static void stop(const char *problem) { fprintf(stderr, "bare: %s\n", problem); exit(1); }

/* Eight bytes at a time; every text that is hashed has eight more bytes behind its end. */
static uint64_t hash(uint64_t h, Field key) {
    uint64_t word;
    for (; key.length > 8; key.at += 8, key.length -= 8) {
        memcpy(&word, key.at, 8);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    memcpy(&word, key.at, 8);
    h = (h ^ (word & (~UINT64_C(0) >> (64 - 8 * key.length)))) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

static int same(Field a, Field b) { return a.length == b.length && !memcmp(a.at, b.at, a.length); }

static Judgment *find(uint64_t topic_hash, Field topic, Field document) {
    size_t place = hash(topic_hash, document) & mask;
    while (table[place].topic.at && !(same(table[place].document, document) && same(table[place].topic, topic)))
        place = (place + 1) & mask;
    return &table[place];
}

static int blank(char c) { return c == ' ' || c == '\t'; }

static const char *field(const char *at, Field *found) {
    while (blank(*at)) at++;
    found->at = at;
    while ((unsigned char)*at > ' ') at++;
    found->length = (size_t)(at - found->at);
    return at;
}

/* Exact for up to 15 digits, which is what runs hold. */
static double decimal(Field text) {
    static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int64_t digits = 0;
    int seen = 0, behind = 0, negative = *text.at == '-';
    for (const char *at = text.at + negative, *end = text.at + text.length; at < end; at++) {
        if (*at == '.') { seen = 1; continue; }
        digits = digits * 10 + (*at - '0');
        behind += seen;
    }
    return (double)(negative ? -digits : digits) / power[behind & 15];
}

static void *work(void *argument) {
    Sums sums = {0};
    char *buffer = calloc(1, PIECE + TAIL + 9);
    Field topic = {"", 0}, column[6];
    uint64_t topic_hash = 0;
    for (size_t start; (start = atomic_fetch_add(&next_piece, PIECE)) < size;) {
        /* From the byte before the piece, which says whether a line begins with it. */
        size_t before = start > 0;
        ssize_t n = pread(run, buffer, PIECE + TAIL + before, (off_t)(start - before));
        if (n < (ssize_t)before) stop("the run cannot be read");
        buffer[n] = 0;
        const char *at = buffer, *end = buffer + n, *border = buffer + before + PIECE;
        if (before) {
            at = memchr(buffer, '\n', (size_t)n);
            at = at ? at + 1 : end;
        }
        topic.length = 0;
        while (at < end && at < border) {
            for (int place = 0; place < 6; place++) at = field(at, &column[place]);
            if (!column[5].length || (*at && *at != '\n')) stop("a line of the run does not have six fields");
            if (!same(topic, column[0])) topic_hash = hash(0, topic = column[0]);
            Judgment *judgment = find(topic_hash, topic, column[2]);
            sums.lines++;
            sums.judged += judgment->topic.at != NULL;
            sums.relevant += (uint64_t)judgment->relevant;
            sums.scores += decimal(column[4]);
            at++;
        }
    }
    free(buffer);
    *(Sums *)argument = sums;
    return NULL;
}

static void read_qrels(const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status)) stop("the qrels cannot be opened");
    size_t length = (size_t)status.st_size, lines = 0;
    char *text = calloc(1, length + 9);
    for (size_t done = 0; done < length;) {
        ssize_t n = read(file, text + done, length - done);
        if (n <= 0) stop("the qrels cannot be read");
        done += (size_t)n;
    }
    for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
    for (mask = 1024; mask < 3 * lines; mask *= 2) {}
    table = calloc(mask--, sizeof *table);
    Field column[4];
    for (const char *at = text; *at; at += *at == '\n') {
        for (int place = 0; place < 4; place++) at = field(at, &column[place]);
        if (!column[3].length || (*at && *at != '\n')) stop("a line of the qrels does not have four fields");
        Judgment *judgment = find(hash(0, column[0]), column[0], column[2]);
        *judgment = (Judgment){column[0], column[2], *column[3].at > '0'};
    }
}

int main(int n_words, char **words) {
    int n_threads = n_words == 4 ? atoi(words[3]) : 0;
    if (n_threads < 1 || n_threads > MAX_THREADS) stop("usage: bare RUN QRELS THREADS");
    read_qrels(words[2]);
    struct stat status;
    run = open(words[1], O_RDONLY);
    if (run < 0 || fstat(run, &status)) stop("the run cannot be opened");
    size = (size_t)status.st_size;
    pthread_t threads[MAX_THREADS];
    Sums sums[MAX_THREADS], all = {0};
    for (int i = 1; i < n_threads; i++)
        if (pthread_create(&threads[i], NULL, work, &sums[i])) stop("a thread cannot be started");
    work(&sums[0]);
    for (int i = 0; i < n_threads; i++) {
        if (i) pthread_join(threads[i], NULL);
        all.lines += sums[i].lines;
        all.judged += sums[i].judged;
        all.relevant += sums[i].relevant;
        all.scores += sums[i].scores;
    }
    printf("lines %llu judged %llu relevant %llu mean score %.4f\n", (unsigned long long)all.lines,
           (unsigned long long)all.judged, (unsigned long long)all.relevant,
           all.lines ? all.scores / (double)all.lines : 0.0);
    return 0;
}
