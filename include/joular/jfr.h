/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recording format of the JDK Flight Recorder: bytes in, events out.
 *
 * Layout: OpenJDK src/hotspot/share/jfr/recorder/repository/jfrChunk.cpp and jfrChunkWriter.cpp (header),
 * src/jdk.jfr/share/classes/jdk/jfr/internal/MetadataReader.java (metadata) and consumer/ChunkParser.java
 * (checkpoints). Everything works on memory, and nothing here prints. Types and fields are found by their names in the
 * chunk's own metadata; a field that a chunk does not have is JFR_ABSENT.
 *
 * A chunk is self-contained: one struct jfr_reader reads one chunk at a time, and several readers may read chunks of
 * one file at the same time. */
#ifndef JOULAR_JFR_H
#define JOULAR_JFR_H

#include "joular/mem.h"
#include "joular/span.h"
#include "joular/status.h"

#define JFR_HEADER_SIZE 68

struct jfr_header {
    unsigned major, minor;
    uint64_t size;          /* of the chunk, header included; not to be trusted while state is not 0 */
    uint64_t checkpoint_at; /* of the last checkpoint event, from the chunk's start */
    uint64_t metadata_at;   /* of the metadata event, from the chunk's start */
    int64_t start_ns;       /* since the epoch */
    int64_t duration_ns;
    int64_t start_ticks;
    int64_t ticks_per_second;
    double ticks_per_ns; /* ticks_per_second / 1e9 */
    unsigned state;      /* 0: finished; always 0 in versions before 2.1, which have no state */
    bool compressed;     /* integers are varints */
};

/* A chunk in its file. One that is unfinished, or truncated by the file, extends to the end of its last whole event. */
struct jfr_chunk {
    struct jfr_header header;
    uint64_t at, length;  /* in the file */
    uint64_t metadata_at; /* from the chunk's start; 0: no metadata event in LENGTH */
    uint64_t tail;        /* bytes after LENGTH that are no whole event and no chunk */
    bool finished;        /* by its header, and whole in the file */
    bool cut;             /* finished by its header, but the file ends before it does */
    bool restored;        /* its header is damaged, and HEADER is a copy that was found further on */
    int number;           /* 1 for the first of its file */
    /* Substitute metadata, for when this chunk's cannot be read: the number of a neighbouring chunk, and where its
     * metadata event is in the file. As far as one can tell the neighbour is of the same JVM: one chunk begins where
     * the other ends, on the same clock. */
    int substitute; /* 0: none */
    uint64_t substitute_at, substitute_end;
};

/* What could not be read. Counts add up over chunks; the first problem is kept in words. */
struct jfr_damage {
    uint64_t chunks;     /* that gave nothing at all */
    uint64_t events;     /* that could not be read */
    uint64_t bytes;      /* that belong to no event that could be read */
    int64_t time_ns;     /* of recording: of lost chunks, of gaps between chunks, and a share by bytes of the others */
    uint64_t unfinished; /* unfinished chunks, which were read as far as they go */
    struct error first;
};

struct jfr_chunk_list {
    struct jfr_chunk *v;
    size_t n, cap;
};

/* Finds the chunks of a file of LENGTH bytes. STATUS_INVALID where it is no JFR file, STATUS_UNSUPPORTED for a version
 * that is not 1.x or 2.x, STATUS_TRUNCATED for less than a header. Problems after the first header are damage. */
enum status jfr_list_chunks(const uint8_t *bytes, size_t length, struct jfr_chunk_list *chunks,
                            struct jfr_damage *damage, struct error *err) WARN_UNUSED;

/* Whether the header says when the chunk ends: not while it is being written, or where it has no duration. */
static inline bool jfr_has_end(const struct jfr_header *header)
{
    return header->state == 0 && header->duration_ns != 0;
}

/* Ticks to nanoseconds, since the epoch or as a length, computed in double as the JDK's TimeConverter does. */
int64_t jfr_time_ns(const struct jfr_header *header, int64_t ticks);
int64_t jfr_timespan_ns(const struct jfr_header *header, int64_t ticks);

enum jfr_kind {
    JFR_ABSENT,
    JFR_INT,
    JFR_FLOAT,
    JFR_TEXT,
    JFR_REF,
    JFR_ARRAY
};

/* A field of an event. Times are nanoseconds: since the epoch where the field is annotated as a timestamp, a length
 * where it is annotated as a timespan, whatever unit the recording has them in. */
struct jfr_value {
    enum jfr_kind kind;
    union {
        int64_t i;         /* JFR_INT; booleans are 0 and 1 */
        double d;          /* JFR_FLOAT, exact for float and double */
        const uint8_t *at; /* JFR_TEXT: see jfr_text() */
        uint64_t ref;      /* JFR_REF: key into the constant pool of the field's type */
    };
};

/* An event type that is wanted, and its fields, in the order in which their values are handed over. */
#define JFR_MAX_FIELDS 16
struct jfr_event_spec {
    const char *type;
    const char *fields[JFR_MAX_FIELDS]; /* NULL ends the list */
};

/* One event. VALUES has a value for each wanted field; AT is the event's offset in the chunk. References and texts can
 * only be resolved after jfr_read_chunk has returned, since their constant pools may come later in the chunk. */
typedef void jfr_event_fn(void *user, unsigned spec, const struct jfr_value *values, uint64_t at);

struct jfr_reader;
/* SPECS must live as long as the reader. */
struct jfr_reader *jfr_reader_new(const struct jfr_event_spec *specs, size_t spec_count);
void jfr_reader_free(struct jfr_reader *reader);
/* Has lines, bytecode indexes and types of frames decoded too, and not only their methods. */
void jfr_decode_whole_frames(struct jfr_reader *reader);

/* A jdk.CPUTimeSample, with the keys of its thread and its stack; 0: none. */
struct jfr_cpu_time_sample {
    int64_t time_ns, period_ns;
    uint64_t thread, stack;
    bool failed, biased;
};
/* Has the samples of SPEC, whose fields are startTime, eventThread, stackTrace, samplingPeriod, failed and biased,
 * handed over in groups, from chunks that lay them out as JDK 25 does; from others they come one by one, as events.
 * Everything comes in the order of the chunk: a group is handed over before the event after it. SAMPLES may change what
 * it gets. */
#define JFR_GROUP 64 /* the most that come at once */
typedef void jfr_cpu_time_samples_fn(void *user, struct jfr_cpu_time_sample *samples, size_t count);
void jfr_on_cpu_time_samples(struct jfr_reader *reader, unsigned spec, jfr_cpu_time_samples_fn *samples, void *user);

/* Reads CHUNK, whose first byte is BYTES[CHUNK->at]. An error means that the chunk gave nothing; what is skipped inside
 * it is added to DAMAGE. BYTES must stay until the reader reads its next chunk. */
enum status jfr_read_chunk(struct jfr_reader *reader, const uint8_t *bytes, const struct jfr_chunk *chunk,
                           jfr_event_fn *event, void *user, struct jfr_damage *damage, struct error *err) WARN_UNUSED;

/* Id of the type that SPEC names in the chunk just read (as jdk.ActiveSetting has it), or -1. */
int64_t jfr_type_id(const struct jfr_reader *reader, unsigned spec);
/* Time of the latest event of any type, in epoch nanoseconds; INT64_MIN where there is none. Known only after a chunk
 * that is not finished or whose header gives no duration: others do not need it. */
int64_t jfr_last_event_ns(const struct jfr_reader *reader);
/* Events seen, of all types. */
uint64_t jfr_event_count(const struct jfr_reader *reader);

/* PASSED is called each time the walk over a chunk has passed JFR_STRIDE more bytes, with their begin and end in the
 * chunk. Their memory may be given back to the system, but they must stay readable: what is resolved later may be among
 * them. */
#define JFR_STRIDE ((uint64_t)16 << 20)
typedef void jfr_passed_fn(void *user, uint64_t from, uint64_t to);
void jfr_on_passed(struct jfr_reader *reader, jfr_passed_fn *passed, void *user);

/* ---- For --dump and --stats: everything that is in a chunk ---- */

/* Called for every event, metadata and checkpoints included, at AT in the chunk, before it is decoded. */
typedef void jfr_seen_fn(void *user, uint64_t at, uint64_t size, uint64_t type);
void jfr_on_every_event(struct jfr_reader *reader, jfr_seen_fn *seen, void *user);

/* ---- The rest is about the chunk just read, and what comes back lives until the next jfr_read_chunk. A key without an
 * entry gives false (or a null text). Where a key has several entries the first counts, as in the JDK. */

struct jfr_text {
    const char *p; /* UTF-8, with U+FFFD for malformed bytes; may have NUL inside. NULL: null */
    size_t n;
};
struct jfr_text jfr_text(struct jfr_reader *reader, const struct jfr_value *value);

struct jfr_frame {
    uint64_t method;
    int32_t line, bytecode_index; /* -1: not in the chunk, or not decoded */
    uint64_t type;                /* frame type: see jfr_named(); 0: not in the chunk, or not decoded */
};
struct jfr_stack {
    bool truncated;
    const struct jfr_frame *frames; /* youngest first; valid until the next jfr_stack */
    size_t count;
};
/* Prefetches the bytes of a stack that is about to be decoded. */
void jfr_prefetch_stack(const struct jfr_reader *reader, uint64_t key);
bool jfr_stack(struct jfr_reader *reader, uint64_t key, struct jfr_stack *stack);

struct jfr_method {
    bool has_class;
    struct jfr_text class_name; /* as the JVM has it: java/lang/Thread */
    struct jfr_text name;
    bool hidden;
};
bool jfr_method(struct jfr_reader *reader, uint64_t key, struct jfr_method *method);

struct jfr_thread {
    struct jfr_text os_name, java_name, group;
    int64_t os_id, java_id;
    bool is_virtual;
};
bool jfr_thread(struct jfr_reader *reader, uint64_t key, struct jfr_thread *thread);
/* The key of thread number I of the constant pool, counted from 0; false after the last. */
bool jfr_thread_key(const struct jfr_reader *reader, size_t i, uint64_t *key);

/* Constant pools whose entries are only a name. */
enum jfr_named {
    JFR_THREAD_STATE,
    JFR_FRAME_TYPE,
    JFR_GC_NAME,
    JFR_GC_CAUSE,
    JFR_FLAG_ORIGIN
};
struct jfr_text jfr_named(struct jfr_reader *reader, enum jfr_named pool, uint64_t key);

/* Types of the chunk's metadata, numbered from 0; false after the last. May be called while the chunk is being read. */
struct jfr_type_facts {
    uint64_t id;
    const char *name;
    size_t name_length, field_count;
};
bool jfr_type_facts(const struct jfr_reader *reader, size_t number, struct jfr_type_facts *facts);
bool jfr_type_of_id(const struct jfr_reader *reader, uint64_t id, size_t *number);

struct jfr_field_facts {
    const char *name, *type;
    size_t name_length, type_length;
    bool in_pool, is_array, is_time;
};
bool jfr_field_facts(const struct jfr_reader *reader, size_t type, size_t field, struct jfr_field_facts *facts);

/* Decodes the fields of the event at AT, which is of type number TYPE: the first MAX of them, at most 64. Returns how
 * many; 0 where the event is damaged. */
size_t jfr_decode_event(struct jfr_reader *reader, uint64_t at, size_t type, struct jfr_value *values, size_t max);

#endif
