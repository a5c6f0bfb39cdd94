/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutates recordings along their structure: chunks and events are removed, repeated and moved, numbers in them changed,
 * and the sizes and offsets around them written anew, so that what was changed is looked at. Now and then a header
 * lies. Random bytes alone end at the first size. And what was written is damaged as disks and killed JVMs do it: zeros
 * or noise over a stretch, a header or the metadata; copies of headers, as JFR writes them, may be left then.
 *
 * libFuzzer calls the two functions at the end; without it they are not there. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HEADER 68
#define COPY (1 + HEADER) /* its length in front of it */
#define MOST_CHUNKS 16
#define MOST_EVENTS 512
#define SCRATCH ((size_t)1 << 21)

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *left, size_t left_size, const uint8_t *right, size_t right_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

struct event {
    const uint8_t *bytes; /* behind its size */
    size_t length;
    bool raw;     /* no event: bytes that are written as they are */
    int64_t more; /* how much larger its size says it is */
};

struct chunk {
    uint8_t header[HEADER];
    struct event events[MOST_EVENTS];
    size_t n;
    bool keep_size, keep_metadata, keep_checkpoint; /* the header lies */
};

struct recording {
    struct chunk chunks[MOST_CHUNKS];
    size_t n;
};

static uint8_t scratch[SCRATCH];
static size_t scratch_used;
static uint64_t random_state;

static uint64_t rnd(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t below(size_t limit)
{
    return limit != 0 ? (size_t)((rnd() >> 20) % limit) : 0;
}

static uint8_t *take(size_t length)
{
    if (length > SCRATCH - scratch_used)
        return NULL;
    scratch_used += length;
    return scratch + scratch_used - length;
}

static uint64_t get_be(const uint8_t *p, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value = value << 8 | p[i];
    return value;
}

static void put_be(uint8_t *p, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        p[i] = (uint8_t)(value >> (8 * (width - 1 - i)));
}

/* Bytes used, 0 where it does not end. */
static size_t get_varint(const uint8_t *p, size_t left, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < left && i < 9; i++) {
        *value |= (uint64_t)(i == 8 ? p[i] : p[i] & 0x7f) << (7 * i);
        if (p[i] < 0x80 || i == 8)
            return i + 1;
    }
    return 0;
}

static size_t put_varint(uint8_t *p, uint64_t value)
{
    size_t n = 0;
    while (value >= 0x80 && n < 8) {
        p[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    p[n++] = (uint8_t)value;
    return n;
}

static bool is_compressed(const struct chunk *chunk)
{
    return (chunk->header[67] & 1) != 0;
}

static void add_event(struct chunk *chunk, const uint8_t *bytes, size_t length, bool raw)
{
    if (chunk->n < MOST_EVENTS)
        chunk->events[chunk->n++] = (struct event){bytes, length, raw, 0};
}

/* ---- Apart ---- */

static void parse_events(struct chunk *chunk, const uint8_t *p, const uint8_t *end)
{
    while (p < end && chunk->n < MOST_EVENTS - 1) {
        size_t left = (size_t)(end - p), width = 4;
        uint64_t size = 0;
        if (is_compressed(chunk))
            width = get_varint(p, left, &size);
        else if (left >= 4)
            size = get_be(p, 4);
        if (width == 0 || size <= width || size > left)
            break;
        add_event(chunk, p + width, (size_t)size - width, false);
        p += size;
    }
    if (p < end)
        add_event(chunk, p, (size_t)(end - p), true);
}

/* A copy of a header ends the event it stands in. */
static bool is_copy(const uint8_t *p)
{
    return p[0] == HEADER && memcmp(p + 1, "FLR", 4) == 0 && p[1 + 64] != 0;
}

/* The next chunk's header behind the one at P; NULL: there is none. */
static const uint8_t *next_header(const uint8_t *p, size_t left)
{
    const uint8_t *end = p + left, *next = p + HEADER - 1;
    do
        next = memmem(next + 1, (size_t)(end - next - 1), "FLR", 4);
    while (next != NULL && end - next >= HEADER && is_copy(next - 1));
    return next;
}

static void parse(struct recording *r, const uint8_t *bytes, size_t length)
{
    const uint8_t *p = bytes, *end = bytes + length;
    r->n = 0;
    while (end - p >= HEADER && r->n < MOST_CHUNKS) {
        struct chunk *chunk = &r->chunks[r->n++];
        size_t left = (size_t)(end - p);
        const uint8_t *next = next_header(p, left);
        chunk->n = 0;
        memcpy(chunk->header, p, HEADER);
        uint64_t size = get_be(p + 8, 8);
        chunk->keep_size = size < HEADER || size > left;
        chunk->keep_metadata = chunk->keep_checkpoint = false;
        const uint8_t *stop = !chunk->keep_size ? p + size : next != NULL ? next : end;
        parse_events(chunk, p + HEADER, stop);
        p = stop;
    }
}

/* ---- Together ---- */

static size_t write_event(const struct chunk *chunk, const struct event *event, uint8_t *out, size_t room)
{
    uint8_t head[9];
    size_t width = 0;
    uint64_t size = event->length + (uint64_t)event->more;
    if (!event->raw && is_compressed(chunk)) {
        size_t before;
        do {
            before = width;
            width = put_varint(head, size + before);
        } while (width > before);
    } else if (!event->raw) {
        width = 4;
        put_be(head, size + width, 4);
    }
    if (width + event->length > room)
        return 0;
    memcpy(out, head, width);
    memcpy(out + width, event->bytes, event->length);
    return width + event->length;
}

static uint64_t type_of(const struct chunk *chunk, const struct event *event)
{
    uint64_t type = UINT64_MAX;
    if (event->raw)
        return type;
    if (is_compressed(chunk))
        return get_varint(event->bytes, event->length, &type) != 0 ? type : UINT64_MAX;
    return event->length >= 8 ? get_be(event->bytes, 8) : UINT64_MAX;
}

static size_t write(const struct recording *r, uint8_t *out, size_t max_size)
{
    size_t n = 0;
    for (size_t c = 0; c < r->n && max_size - n >= HEADER; c++) {
        const struct chunk *chunk = &r->chunks[c];
        size_t start = n;
        uint64_t metadata = 0, checkpoint = 0;
        memcpy(out + n, chunk->header, HEADER);
        n += HEADER;
        for (size_t e = 0; e < chunk->n; e++) {
            uint64_t type = type_of(chunk, &chunk->events[e]);
            size_t length = write_event(chunk, &chunk->events[e], out + n, max_size - n);
            if (length != 0 && type == 0)
                metadata = n - start;
            if (length != 0 && type == 1)
                checkpoint = n - start;
            n += length;
            if (length > COPY && is_copy(out + n - COPY))
                put_be(out + n - HEADER + 8, n - start, 8);
        }
        if (!chunk->keep_size)
            put_be(out + start + 8, n - start, 8);
        if (!chunk->keep_checkpoint)
            put_be(out + start + 16, checkpoint, 8);
        if (!chunk->keep_metadata)
            put_be(out + start + 24, metadata, 8);
    }
    return n;
}

/* ---- Changes ---- */

static struct chunk *any_chunk(struct recording *r)
{
    return &r->chunks[below(r->n)];
}

static struct event *any_event(struct chunk *chunk)
{
    return chunk->n != 0 ? &chunk->events[below(chunk->n)] : NULL;
}

static uint64_t other_number(uint64_t value)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x3fff,
                                     0x4000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x1ffffffff,
                                     UINT64_C(1) << 53,
                                     UINT64_C(1) << 61,
                                     UINT64_C(1) << 62,
                                     INT64_MAX,
                                     UINT64_C(1) << 63,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
    switch (below(6)) {
    case 0:
        return value + 1;
    case 1:
        return value - 1;
    case 2:
        return below(8);
    case 3:
        return below(128);
    case 4:
        return value ^ UINT64_C(1) << below(64);
    default:
        return edges[below(sizeof edges / sizeof edges[0])];
    }
}

/* Replaces FROM bytes at AT of the event by TO. */
static void replace(struct event *event, size_t at, size_t from, const uint8_t *to, size_t to_length)
{
    uint8_t *bytes = take(event->length - from + to_length);
    if (bytes == NULL)
        return;
    memcpy(bytes, event->bytes, at);
    memcpy(bytes + at, to, to_length);
    memcpy(bytes + at + to_length, event->bytes + at + from, event->length - at - from);
    event->bytes = bytes;
    event->length += to_length - from;
}

/* Any varint of an event; its place, and how long it is, 0 where there is none. Those near the start, where counts and
 * keys are, come up more often. */
static size_t any_varint(const struct event *event, size_t *at, uint64_t *value)
{
    size_t steps = below(2) != 0 ? below(24) : below(event->length), width;
    *at = 0;
    width = get_varint(event->bytes, event->length, value);
    for (size_t i = 0; i < steps && width != 0 && *at + width < event->length; i++) {
        *at += width;
        width = get_varint(event->bytes + *at, event->length - *at, value);
    }
    return width;
}

static void change_number(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    struct event *event = any_event(chunk);
    uint8_t bytes[9];
    uint64_t value, other;
    size_t at, ignored;
    if (event == NULL || event->length == 0)
        return;
    if (is_compressed(chunk)) {
        size_t width = any_varint(event, &at, &value);
        /* one from elsewhere: of another type, string, constant */
        bool copies = below(3) == 0 && any_varint(event, &ignored, &other) != 0;
        if (width != 0)
            replace(event, at, width, bytes, put_varint(bytes, copies ? other : other_number(value)));
    } else {
        unsigned width = 1U << below(4);
        if (event->length < width)
            return;
        at = below(event->length - width + 1);
        put_be(bytes, other_number(get_be(event->bytes + at, width)), width);
        replace(event, at, width, bytes, width);
    }
}

static void change_type(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    struct event *event = any_event(chunk), *like = any_event(chunk);
    uint8_t bytes[9];
    if (event == NULL || event->raw || type_of(chunk, event) == UINT64_MAX)
        return;
    uint64_t type = below(4) != 0 ? type_of(chunk, like) : below(128), old;
    size_t width = 8, new_width = 8;
    if (is_compressed(chunk)) {
        width = get_varint(event->bytes, event->length, &old);
        new_width = put_varint(bytes, type);
    } else {
        put_be(bytes, type, 8);
    }
    replace(event, 0, width, bytes, new_width);
}

static void change_bytes(struct recording *r)
{
    struct event *event = any_event(any_chunk(r));
    if (event == NULL)
        return;
    size_t room = event->length + 64;
    uint8_t *bytes = take(room);
    if (bytes == NULL)
        return;
    memcpy(bytes, event->bytes, event->length);
    event->length = LLVMFuzzerMutate(bytes, event->length, room);
    event->bytes = bytes;
}

static void change_header(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    static const struct {
        size_t at;
        unsigned width;
    } fields[] = {{8, 8},  {16, 8}, {24, 8}, {32, 8}, {40, 8}, {48, 8}, {56, 8},
                  {64, 1}, {65, 1}, {66, 1}, {67, 1}, {6, 2},  {4, 2}};
    size_t f = below(sizeof fields / sizeof fields[0]);
    uint8_t *p = chunk->header + fields[f].at;
    put_be(p, other_number(get_be(p, fields[f].width)), fields[f].width);
    chunk->keep_size |= f == 0;
    chunk->keep_checkpoint |= f == 1;
    chunk->keep_metadata |= f == 2;
}

/* How it is analysed: see CHOICE_... in fuzz.h */
static void change_choice(struct recording *r)
{
    r->chunks[0].header[65 + below(2)] ^= (uint8_t)(1U << below(8));
}

static void finish_chunk(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    chunk->keep_size = !chunk->keep_size;
    chunk->header[64] = chunk->keep_size ? 255 : 0;
    if (chunk->keep_size)
        put_be(chunk->header + 8, 0, 8);
}

static void insert_event(struct chunk *chunk, size_t at, struct event event)
{
    if (chunk->n >= MOST_EVENTS)
        return;
    memmove(&chunk->events[at + 1], &chunk->events[at], (chunk->n - at) * sizeof event);
    chunk->events[at] = event;
    chunk->n++;
}

static struct event remove_event(struct chunk *chunk, size_t at)
{
    struct event event = chunk->events[at];
    chunk->n--;
    memmove(&chunk->events[at], &chunk->events[at + 1], (chunk->n - at) * sizeof event);
    return event;
}

static void drop_event(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    size_t count = 1 + (below(4) == 0 ? below(8) : 0);
    for (; count > 0 && chunk->n > 1; count--)
        remove_event(chunk, below(chunk->n));
}

static void repeat_event(struct recording *r)
{
    struct chunk *chunk = any_chunk(r), *to = any_chunk(r);
    struct event *event = any_event(chunk);
    size_t count = 1 + (below(8) == 0 ? below(64) : 0);
    if (event == NULL)
        return;
    struct event copy = *event;
    for (; count > 0; count--)
        insert_event(to, below(to->n + 1), copy);
}

static void move_event(struct recording *r)
{
    struct chunk *chunk = any_chunk(r), *to = any_chunk(r);
    if (chunk->n != 0) {
        struct event event = remove_event(chunk, below(chunk->n));
        insert_event(to, below(to->n + 1), event);
    }
}

static void join_events(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    struct event *event = any_event(chunk), *other = any_event(chunk);
    if (event == NULL || event->length == 0 || other->length == 0)
        return;
    size_t at = below(event->length), from = below(other->length), length = 1 + below(other->length - from);
    replace(event, at, 0, other->bytes + from, length);
}

static void cut_event(struct recording *r)
{
    struct event *event = any_event(any_chunk(r));
    if (event != NULL && event->length > 1)
        event->length = 1 + below(event->length - 1);
}

/* A size that leads into the next event, into the middle of its own, or, of the last, out of the chunk. */
static void change_size(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    if (chunk->n == 0)
        return;
    struct event *event = below(2) != 0 ? any_event(chunk) : &chunk->events[chunk->n - 1];
    event->more = below(4) != 0 ? (int64_t)below(17) - 8 : (int64_t)other_number(0);
}

static void drop_chunk(struct recording *r)
{
    size_t at = below(r->n);
    if (r->n < 2)
        return;
    r->n--;
    memmove(&r->chunks[at], &r->chunks[at + 1], (r->n - at) * sizeof r->chunks[0]);
}

static void repeat_chunk(struct recording *r)
{
    if (r->n >= MOST_CHUNKS)
        return;
    struct chunk *chunk = any_chunk(r), *copy = &r->chunks[r->n++];
    memcpy(copy, chunk, sizeof *copy);
    if (below(2) == 0) /* else it counts as a copy */
        put_be(copy->header + 32, get_be(copy->header + 32, 8) + 1 + below(3000000000), 8);
}

static void swap_chunks(struct recording *r)
{
    static struct chunk kept;
    struct chunk *a = any_chunk(r), *b = any_chunk(r);
    if (a == b)
        return;
    kept = *a;
    *a = *b;
    *b = kept;
}

static void add_noise(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    size_t length = 1 + below(64);
    uint8_t *bytes = take(length);
    if (bytes == NULL)
        return;
    for (size_t i = 0; i < length; i++)
        bytes[i] = below(2) != 0 ? (uint8_t)rnd() : 0;
    insert_event(chunk, below(chunk->n + 1), (struct event){bytes, length, below(2) != 0, 0});
}

/* With the size that write() gives it, and an id that no type has. */
static void add_copy(struct recording *r)
{
    struct chunk *chunk = any_chunk(r);
    uint8_t *bytes = take(8 + COPY);
    if (bytes == NULL)
        return;
    size_t width = is_compressed(chunk) ? put_varint(bytes, 90) : 8;
    if (!is_compressed(chunk))
        put_be(bytes, 90, 8);
    bytes[width] = HEADER;
    memcpy(bytes + width + 1, chunk->header, HEADER);
    bytes[width + 1 + 64] = 1;
    insert_event(chunk, below(chunk->n + 1), (struct event){bytes, width + COPY, false, 0});
}

static void (*const changes[])(struct recording *r) = {
    change_number, change_number, change_number, change_number, change_number, change_number, change_bytes,
    change_bytes,  change_bytes,  change_bytes,  change_type,   change_type,   change_header, change_header,
    change_choice, drop_event,    drop_event,    repeat_event,  move_event,    join_events,   cut_event,
    change_size,   drop_chunk,    repeat_chunk,  swap_chunks,   add_noise,     finish_chunk,  add_copy,
};

/* ---- Damage ---- */

static void fill(uint8_t *bytes, size_t length)
{
    size_t kind = below(3);
    for (size_t i = 0; i < length; i++)
        bytes[i] = kind == 0 ? 0 : kind == 1 ? (uint8_t)rnd() : (uint8_t)(bytes[i] ^ 1U << below(8));
}

static void damage_stretch(uint8_t *bytes, size_t size)
{
    size_t at = below(size), left = size - at, length = 1 + below(below(2) != 0 ? left : 200);
    fill(bytes + at, length < left ? length : left);
}

/* The header of a chunk, or the start of its metadata event. */
static void damage_head(uint8_t *bytes, size_t size)
{
    uint8_t *p = bytes;
    for (size_t skip = below(4); skip > 0; skip--) {
        const uint8_t *next = next_header(p, size - (size_t)(p - bytes));
        if (next == NULL || size - (size_t)(next - bytes) < HEADER)
            break;
        p = bytes + (next - bytes);
    }
    uint64_t metadata = get_be(p + 24, 8);
    size_t left = size - (size_t)(p - bytes);
    if (below(2) == 0)
        fill(p, below(2) == 0 ? HEADER : 1 + below(HEADER));
    else if (metadata < left)
        fill(p + metadata, 1 + below(left - metadata < 300 ? left - metadata : 300));
}

static void cut_out(uint8_t *bytes, size_t *size)
{
    size_t at = below(*size), length = 1 + below((*size - at) < 300 ? *size - at : 300);
    memmove(bytes + at, bytes + at + length, *size - at - length);
    *size -= length;
}

static size_t damage(uint8_t *bytes, size_t size)
{
    if (size <= HEADER)
        return size;
    switch (below(4)) {
    case 0:
        damage_head(bytes, size);
        break;
    case 1:
        cut_out(bytes, &size);
        break;
    default:
        damage_stretch(bytes, size);
    }
    return size;
}

static struct recording one, two;

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
    random_state = ((uint64_t)seed << 1 | 1) * UINT64_C(0x9e3779b97f4a7c15);
    if (size < HEADER || below(32) == 0)
        return LLVMFuzzerMutate(bytes, size, max_size);
    scratch_used = 0;
    uint8_t *copy = take(size);
    if (copy == NULL)
        return LLVMFuzzerMutate(bytes, size, max_size);
    memcpy(copy, bytes, size);
    parse(&one, copy, size);
    for (size_t count = 1 + below(3); count > 0; count--)
        changes[below(sizeof changes / sizeof changes[0])](&one);
    size_t length = write(&one, bytes, max_size);
    return below(6) == 0 ? damage(bytes, length) : length;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *left, size_t left_size, const uint8_t *right, size_t right_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    random_state = ((uint64_t)seed << 1 | 1) * UINT64_C(0x9e3779b97f4a7c15);
    parse(&one, left, left_size);
    parse(&two, right, right_size);
    if (one.n == 0 || two.n == 0)
        return 0;
    if (below(4) == 0 && one.n < MOST_CHUNKS) {
        one.chunks[one.n++] = *any_chunk(&two);
        return write(&one, out, max_size);
    }
    for (size_t count = 1 + below(6); count > 0; count--) {
        const struct event *event = any_event(any_chunk(&two));
        struct chunk *to = any_chunk(&one);
        if (event != NULL)
            insert_event(to, below(to->n + 1), *event);
    }
    return write(&one, out, max_size);
}
