/* profile.pb.gz: pprof's format, a gzip file (RFC 1952) of one message Profile (pprof.proto). Sample types are
 * samples/count, cpu/nanoseconds and energy/microjoules, all of them at once; --weight says which is shown unless
 * another is asked for. A sample is what a thread has of a stack, labelled with the thread's name. Functions have no
 * system name: pprof would take some names of Java for mangled ones of C++. */
#include "profile.h"

#include <math.h>
#include <stdlib.h>

#ifdef HAVE_PPROF
#include "joular/text.h"
#pragma GCC diagnostic ignored "-Wcast-align" /* of memory that protobuf-c allocated (ARM) */
/* protoc-c's, which has no object of its own: so it is made with this one */
#include "src/report/pprof.pb-c.c" // NOLINT(bugprone-suspicious-include)

#include <zlib.h>

static const char *const types[PROFILE_VALUES][2] = {
    [WEIGHT_SAMPLES] = {"samples", "count"},
    [WEIGHT_CPU] = {"cpu", "nanoseconds"},
    [WEIGHT_ENERGY] = {"energy", "microjoules"},
};
/* pprof asks that a number of events comes first, and shows the last where it knows no default. */
static const enum report_weight type_order[PROFILE_VALUES] = {WEIGHT_SAMPLES, WEIGHT_CPU, WEIGHT_ENERGY};

/* The message while it is made; all of it is in the arena, but for the growing lists. */
struct maker {
    const struct profile *p;
    struct arena arena;
    struct intern texts; /* string_table */
    VEC(Pprof__Sample *) samples;
    uint64_t *stack; /* locations of the deepest stack */
};

static void *copy_of(struct maker *m, const void *bytes, size_t size)
{
    return arena_copy(&m->arena, bytes, size);
}
/* NEW(m, Pprof__Line, PPROF__LINE__INIT); a type in brackets would be none. */
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define NEW(maker, type, init) ((type *)copy_of((maker), &(type)init, sizeof(type)))

static int64_t text(struct maker *m, const char *words)
{
    return intern_bytes(&m->texts, words, strlen(words));
}

static Pprof__ValueType *value_type(struct maker *m, enum report_weight weight)
{
    Pprof__ValueType *type = NEW(m, Pprof__ValueType, PPROF__VALUE_TYPE__INIT);
    type->type = text(m, types[weight][0]);
    type->unit = text(m, types[weight][1]);
    return type;
}

/* A function and a location a label, whose id is its number + 1. */
static void add_labels(struct maker *m, Pprof__Profile *profile)
{
    const struct flame_tree *tree = &m->p->tree;
    size_t n = tree->labels.n;
    profile->function = arena_alloc(&m->arena, (n + 1) * sizeof(Pprof__Function *));
    profile->location = arena_alloc(&m->arena, (n + 1) * sizeof(Pprof__Location *));
    for (size_t i = 0; i < n; i++) {
        struct intern_text name = flame_label_text(m->p->r, &tree->labels.v[i]);
        Pprof__Function *function = NEW(m, Pprof__Function, PPROF__FUNCTION__INIT);
        Pprof__Location *location = NEW(m, Pprof__Location, PPROF__LOCATION__INIT);
        Pprof__Line *line = NEW(m, Pprof__Line, PPROF__LINE__INIT);
        function->id = location->id = line->function_id = i + 1;
        function->name = intern_bytes(&m->texts, name.text, name.length);
        location->line = copy_of(m, &line, sizeof line);
        location->n_line = 1;
        profile->function[i] = function;
        profile->location[i] = location;
    }
    profile->n_function = profile->n_location = n;
}

static Pprof__Label **thread_label(struct maker *m, uint32_t number)
{
    struct intern_text name = profile_thread_name(m->p->r, number);
    Pprof__Label *label = NEW(m, Pprof__Label, PPROF__LABEL__INIT);
    label->key = text(m, "thread");
    label->str = intern_bytes(&m->texts, name.text, name.length);
    return copy_of(m, &label, sizeof label);
}

static void add_sample(struct maker *m, const struct profile_piece *piece)
{
    const struct flame_tree *tree = &m->p->tree;
    Pprof__Sample *sample = NEW(m, Pprof__Sample, PPROF__SAMPLE__INIT);
    int64_t values[PROFILE_VALUES];
    for (uint32_t node = piece->node; node != FLAME_ROOT; node = tree->nodes.v[node].parent)
        m->stack[sample->n_location_id++] = tree->nodes.v[node].label + 1;
    sample->location_id = copy_of(m, m->stack, sample->n_location_id * sizeof *m->stack);
    for (int i = 0; i < PROFILE_VALUES; i++)
        values[i] = piece->whole[type_order[i]];
    sample->value = copy_of(m, values, sizeof values);
    sample->n_value = PROFILE_VALUES;
    if (piece->thread != PROFILE_NO_THREAD) {
        sample->label = thread_label(m, piece->thread);
        sample->n_label = 1;
    }
    vec_push(&m->samples, sample);
}

static void add_samples(struct maker *m)
{
    struct profile_pieces pieces;
    profile_cut_by_thread(m->p, &pieces);
    m->stack = mem_zero(m->p->tree.nodes.n, sizeof *m->stack);
    for (size_t i = 0; i < pieces.n; i++)
        if (pieces.v[i].whole[WEIGHT_ENERGY] != 0 || pieces.v[i].whole[WEIGHT_CPU] != 0 ||
            pieces.v[i].whole[WEIGHT_SAMPLES] != 0)
            add_sample(m, &pieces.v[i]);
    free(m->stack);
    free(pieces.v);
}

static void add_comments(struct maker *m, Pprof__Profile *profile)
{
    const struct result *r = m->p->r;
    int64_t comments[2];
    if (r->power_source != NULL) {
        size_t length = strlen(r->power_source);
        char *words = arena_alloc(&m->arena, sizeof "power source: " + 3 * length);
        size_t at = (size_t)sprintf(words, "power source: ");
        at += utf8_repair(words + at, r->power_source, length);
        comments[profile->n_comment++] = intern_bytes(&m->texts, words, at);
    }
    if (r->estimated)
        comments[profile->n_comment++] = text(m, "the power is computed from load, not measured");
    profile->comment = copy_of(m, comments, profile->n_comment * sizeof *comments);
}

static void add_texts(struct maker *m, Pprof__Profile *profile)
{
    profile->n_string_table = m->texts.texts.n;
    profile->string_table = arena_alloc(&m->arena, m->texts.texts.n * sizeof *profile->string_table);
    for (size_t i = 0; i < m->texts.texts.n; i++)
        profile->string_table[i] =
            (ProtobufCBinaryData){m->texts.texts.v[i].length, (uint8_t *)(uintptr_t)m->texts.texts.v[i].text};
}

/* ---- The file ---- */

struct packer {
    ProtobufCBuffer base;
    z_stream z;
    FILE *out;
};

static void deflate_all(struct packer *packer, int flush)
{
    unsigned char piece[16384];
    do {
        packer->z.next_out = piece;
        packer->z.avail_out = sizeof piece;
        deflate(&packer->z, flush); /* there is always room, so it cannot fail */
        fwrite(piece, 1, sizeof piece - packer->z.avail_out, packer->out);
    } while (packer->z.avail_out == 0);
}

static void append(ProtobufCBuffer *buffer, size_t length, const uint8_t *bytes)
{
    struct packer *packer = (struct packer *)buffer;
    for (size_t at = 0; at < length;) { /* a uInt may be less than a size_t */
        size_t piece = length - at < 1 << 30 ? length - at : 1 << 30;
        packer->z.next_in = (unsigned char *)(uintptr_t)(bytes + at);
        packer->z.avail_in = (uInt)piece;
        deflate_all(packer, Z_NO_FLUSH);
        at += piece;
    }
}

static void *zlib_alloc(void *context, unsigned count, unsigned size)
{
    (void)context;
    return mem_zero(count, size);
}

static void zlib_free(void *context, void *block)
{
    (void)context;
    free(block);
}

static void pack(const Pprof__Profile *profile, FILE *out)
{
    struct packer packer = {.base = {append}, .z = {.zalloc = zlib_alloc, .zfree = zlib_free}, .out = out};
    /* 15 + 16: a gzip file; its head has no time, so that the same input gives the same bytes */
    if (deflateInit2(&packer.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort(); /* memory does not end here, and the numbers are good */
    pprof__profile__pack_to_buffer(profile, &packer.base);
    deflate_all(&packer, Z_FINISH);
    deflateEnd(&packer.z);
}

static void write_pprof(const struct report_input *input, bool header, FILE *out)
{
    struct profile p;
    struct maker m = {.p = &p};
    Pprof__Profile profile = PPROF__PROFILE__INIT;
    Pprof__ValueType *sample_types[PROFILE_VALUES];
    (void)header;
    profile_make(input, &p);
    text(&m, ""); /* the first must be empty */
    for (int i = 0; i < PROFILE_VALUES; i++)
        sample_types[i] = value_type(&m, type_order[i]);
    profile.sample_type = sample_types;
    profile.n_sample_type = PROFILE_VALUES;
    profile.default_sample_type = text(&m, types[input->weight][0]);
    profile.period_type = value_type(&m, WEIGHT_CPU);
    profile.period = p.r->quality.period_set_ns;
    profile.time_nanos = p.r->recording_start_ns;
    profile.duration_nanos = llround(fmin(p.r->power_s * 1e9, 0x1p53));
    add_labels(&m, &profile);
    add_samples(&m);
    profile.sample = m.samples.v;
    profile.n_sample = m.samples.n;
    add_comments(&m, &profile);
    add_texts(&m, &profile);
    pack(&profile, out);
    vec_free(&m.samples);
    intern_free(&m.texts);
    arena_free(&m.arena);
    profile_free(&p);
}

const struct report_form report_pprof = {.format = "pprof", .file = "profile.pb.gz", .write = write_pprof};
#else
const struct report_form report_pprof = {.format = "pprof", .file = "profile.pb.gz", .needs = "protobuf-c and zlib"};
#endif
