/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/file.h"
#include "joular/mem.h"

#include <limits.h>
#include <zstd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define STEP ((size_t)1024 * 1024)

struct packed_out {
    uint8_t *v;
    size_t n, cap;
};

static enum status unpack_zstd(const struct file_bytes *in, struct packed_out *out, bool *truncated, struct error *err)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (stream == NULL)
        return error_set(err, STATUS_IO, "zstd cannot be set up");
    ZSTD_inBuffer source = {in->bytes, in->length, 0};
    size_t wanted = 1;
    enum status status = STATUS_OK;
    /* Until all input is used and no output is left in the decoder. What came out before an error, or before the end of
     * a truncated file, is whole blocks, and is kept. */
    for (bool more = true; more;) {
        vec_reserve(out, STEP);
        ZSTD_outBuffer sink = {out->v + out->n, out->cap - out->n, 0};
        size_t before = source.pos;
        wanted = ZSTD_decompressStream(stream, &sink, &source);
        if (ZSTD_isError(wanted)) {
            if (out->n + sink.pos == 0)
                status = error_set(err, STATUS_INVALID, "zstd: %s", ZSTD_getErrorName(wanted));
            break;
        }
        out->n += sink.pos;
        more = source.pos < source.size || (wanted != 0 && (sink.pos == sink.size || source.pos != before));
    }
    *truncated = wanted != 0;
    if (*truncated && out->n == 0 && status == STATUS_OK)
        status = error_set(err, STATUS_TRUNCATED, "zstd: the file ends before its first block");
    ZSTD_freeDStream(stream);
    return status;
}

#ifdef HAVE_ZLIB
static enum status unpack_gzip(const struct file_bytes *in, struct packed_out *out, bool *truncated, struct error *err)
{
    z_stream z = {0};
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return error_set(err, STATUS_IO, "zlib cannot be set up");
    size_t at = 0;
    int code = Z_OK;
    for (;;) {
        if (z.avail_in == 0 && at < in->length) {
            size_t piece = in->length - at < UINT_MAX ? in->length - at : UINT_MAX;
            z.next_in = (Bytef *)(uintptr_t)(in->bytes + at);
            z.avail_in = (uInt)piece;
            at += piece;
        }
        vec_reserve(out, STEP);
        z.next_out = out->v + out->n;
        z.avail_out = (uInt)STEP;
        code = inflate(&z, Z_NO_FLUSH);
        out->n += STEP - z.avail_out;
        if (code == Z_STREAM_END) {
            /* Several members may follow each other (RFC 1952, 2.2); any other bytes after the last one are padding. */
            bool another = z.avail_in >= 2 && z.next_in[0] == 0x1f && z.next_in[1] == 0x8b;
            if (!another || inflateReset(&z) != Z_OK)
                break;
        } else if (code != Z_OK || (z.avail_in == 0 && at == in->length && z.avail_out != 0)) {
            break;
        }
    }
    *truncated = code != Z_STREAM_END;
    enum status status = STATUS_OK;
    if (*truncated && out->n == 0)
        status = error_set(err, code == Z_OK || code == Z_BUF_ERROR ? STATUS_TRUNCATED : STATUS_INVALID, "gzip: %s",
                           z.msg != NULL ? z.msg : "the file ends before its first block");
    inflateEnd(&z);
    return status;
}
#else
static enum status unpack_gzip(const struct file_bytes *in, struct packed_out *out, bool *truncated, struct error *err)
{
    (void)in, (void)out, (void)truncated;
    return error_set(err, STATUS_UNSUPPORTED,
                     "is compressed with gzip, and this build has no zlib: unpack it with gunzip first");
}
#endif

static bool begins(const struct file_bytes *file, const char *magic, size_t length)
{
    return file->length >= length && memcmp(file->bytes, magic, length) == 0;
}

enum status file_unpack(struct file_bytes *file, struct error *err)
{
    for (unsigned depth = 0; depth < 4; depth++) {
        struct packed_out out = {0};
        bool truncated = false;
        enum status status;
        if (begins(file, "\x28\xb5\x2f\xfd", 4))
            status = unpack_zstd(file, &out, &truncated, err);
        else if (begins(file, "\x1f\x8b", 2))
            status = unpack_gzip(file, &out, &truncated, err);
        else if (begins(file, "\x04\x22\x4d\x18", 4))
            return error_set(err, STATUS_UNSUPPORTED, "is compressed with lz4: unpack it with `lz4 -d` first");
        else if (begins(file, "PK\x03\x04", 4))
            return error_set(err, STATUS_UNSUPPORTED, "is a zip archive: unpack it with `unzip` first");
        else
            return STATUS_OK;
        if (status != STATUS_OK) {
            vec_free(&out);
            return status;
        }
        bool was_truncated = file->truncated;
        file_release(file);
        *file = (struct file_bytes){.bytes = out.v, .length = out.n, .truncated = truncated || was_truncated};
    }
    return STATUS_OK;
}
