/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files in, packed ones unpacked, and result files out. */
#include "folder.h"
#include "joular/mem.h"

#include <errno.h>
#include <zstd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

/* 300000 bytes that do not pack to nothing. */
static uint8_t plain[300000];

static void fill_plain(void)
{
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof plain; i++) {
        x = x * 1664525 + 1013904223;
        plain[i] = (uint8_t) "abcdefghijklmnop"[x >> 28];
    }
}

static struct file_bytes own(const void *bytes, size_t length)
{
    uint8_t *copy = mem_alloc(length);
    memcpy(copy, bytes, length);
    return (struct file_bytes){.bytes = copy, .length = length};
}

static struct file_bytes zstd_of(const void *bytes, size_t length)
{
    size_t room = ZSTD_compressBound(length);
    uint8_t *packed = mem_alloc(room);
    size_t n = ZSTD_compress(packed, room, bytes, length, 1);
    assert_false(ZSTD_isError(n));
    return (struct file_bytes){.bytes = packed, .length = n};
}

/* Unpacks and releases. */
static void expect_unpacked(struct file_bytes file, const void *bytes, size_t length, bool cut)
{
    if (file_unpack(&file, &err) != STATUS_OK)
        fail_msg("%s", err.text);
    assert_int_equal(file.truncated, cut);
    assert_true(cut ? file.length <= length : file.length == length);
    assert_memory_equal(file.bytes, bytes, file.length);
    file_release(&file);
}

TEST(a_file_is_read_whole)
{
    struct file_bytes file;
    write_file("a", "some text");
    assert_int_equal(file_read(in_folder("a"), &file, &err), STATUS_OK);
    assert_int_equal(file.length, 9);
    assert_true(file.mapped);
    file_drop_pages(&file, 0, file.length);
    assert_memory_equal(file.bytes, "some text", 9);
    file_release(&file);
    assert_null(file.bytes);
}

#if SIZE_MAX < UINT64_MAX
TEST(a_file_of_more_bytes_than_there_are_addresses_is_refused)
{
    struct file_bytes file;
    write_file("a", "");
    assert_int_equal(truncate(in_folder("a"), (INT64_C(1) << 32) + 10), 0);
    assert_int_equal(file_read(in_folder("a"), &file, &err), STATUS_UNSUPPORTED);
    assert_has(err.text, "4294967306 bytes, more than a program of 32 bits can read");
}
#endif

TEST(an_empty_file_is_read_as_nothing)
{
    struct file_bytes file;
    write_file("a", "");
    assert_int_equal(file_read(in_folder("a"), &file, &err), STATUS_OK);
    assert_int_equal(file.length, 0);
    file_release(&file);
}

TEST(a_missing_file_and_a_folder_are_refused_by_name)
{
    struct file_bytes file;
    assert_int_equal(file_read(in_folder("none"), &file, &err), STATUS_IO);
    assert_string_equal(err.file, in_folder("none"));
    assert_has(err.text, strerror(ENOENT));
    err = (struct error){0};
    assert_int_equal(file_read(folder, &file, &err), STATUS_INVALID);
    assert_string_equal(err.file, folder);
    assert_has(err.text, "folder");
}

TEST(what_is_not_packed_stays_as_it_is)
{
    expect_unpacked(own("FLR\0", 4), "FLR\0", 4, false);
    expect_unpacked(own("#", 1), "#", 1, false);
    expect_unpacked(own("\x28\xb5\x2f", 3), "\x28\xb5\x2f", 3, false);
}

TEST(zstd_is_unpacked_and_several_frames_are_one_file)
{
    struct file_bytes half[2] = {zstd_of(plain, 100000), zstd_of(plain + 100000, 200000)};
    uint8_t *both = mem_alloc(half[0].length + half[1].length);
    memcpy(both, half[0].bytes, half[0].length);
    memcpy(both + half[0].length, half[1].bytes, half[1].length);
    expect_unpacked(own(both, half[0].length + half[1].length), plain, sizeof plain, false);
    expect_unpacked(half[0], plain, 100000, false);
    expect_unpacked(half[1], plain + 100000, 200000, false);
    free(both);
}

/* Releases WHOLE. Returns the most bytes that a cut one gave. */
static size_t cut_everywhere(struct file_bytes whole, size_t least)
{
    size_t most = 0;
    for (size_t length = least; length < whole.length; length += length < 40 ? 1 : 1777) {
        struct file_bytes file = own(whole.bytes, length);
        err = (struct error){0};
        enum status status = file_unpack(&file, &err);
        if (status == STATUS_OK) {
            assert_true(file.truncated);
            assert_true(file.length <= sizeof plain && file.length >= most);
            assert_memory_equal(file.bytes, plain, file.length);
            most = file.length;
        } else {
            assert_int_equal(status, STATUS_TRUNCATED);
            assert_has(err.text, "ends before its first block");
            assert_int_equal(most, 0);
        }
        file_release(&file);
    }
    file_release(&whole);
    return most;
}

TEST(zstd_that_is_cut_is_read_up_to_its_last_whole_block)
{
    size_t most = cut_everywhere(zstd_of(plain, sizeof plain), 4);
    assert_true(most == 256 * (size_t)1024);
}

TEST(zstd_that_is_cut_before_its_first_block_is_truncated)
{
    struct file_bytes whole = zstd_of(plain, sizeof plain);
    whole.length = 12;
    assert_int_equal(file_unpack(&whole, &err), STATUS_TRUNCATED);
    file_release(&whole);
}

TEST(little_zstd_may_hold_many_bytes)
{
    size_t length = (size_t)5 * 1024 * 1024 + 17;
    uint8_t *zeros = mem_zero(length, 1);
    expect_unpacked(zstd_of(zeros, length), zeros, length, false);
    free(zeros);
}

TEST(zstd_that_is_no_zstd_behind_its_magic_is_invalid)
{
    static const char bytes[] = "\x28\xb5\x2f\xfd what stands here is text and no frame header";
    struct file_bytes file = own(bytes, sizeof bytes);
    assert_int_equal(file_unpack(&file, &err), STATUS_INVALID);
    assert_has(err.text, "zstd");
    file_release(&file);
}

TEST(lz4_and_zip_are_refused_with_the_command_that_helps)
{
    struct file_bytes file = own("\x04\x22\x4d\x18 and more", 13);
    assert_int_equal(file_unpack(&file, &err), STATUS_UNSUPPORTED);
    assert_has(err.text, "lz4 -d");
    file_release(&file);
    err = (struct error){0};
    file = own("PK\x03\x04 and more", 13);
    assert_int_equal(file_unpack(&file, &err), STATUS_UNSUPPORTED);
    assert_has(err.text, "unzip");
    file_release(&file);
}

#ifdef HAVE_ZLIB
static struct file_bytes gzip_of(const void *bytes, size_t length)
{
    size_t room = length + 1000;
    z_stream z = {0};
    uint8_t *packed = mem_alloc(room);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)length;
    z.next_out = packed;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    length = room - z.avail_out;
    deflateEnd(&z);
    return (struct file_bytes){.bytes = packed, .length = length};
}

TEST(gzip_is_unpacked)
{
    expect_unpacked(gzip_of(plain, sizeof plain), plain, sizeof plain, false);
    expect_unpacked(gzip_of("", 0), "", 0, false);
}

TEST(gzip_of_zstd_and_zstd_of_gzip_are_unpacked)
{
    struct file_bytes inner = zstd_of(plain, sizeof plain);
    expect_unpacked(gzip_of(inner.bytes, inner.length), plain, sizeof plain, false);
    file_release(&inner);
    inner = gzip_of(plain, sizeof plain);
    expect_unpacked(zstd_of(inner.bytes, inner.length), plain, sizeof plain, false);
    file_release(&inner);
}

TEST(a_cut_inside_is_still_a_cut_outside)
{
    struct file_bytes inner = zstd_of(plain, sizeof plain);
    expect_unpacked(gzip_of(inner.bytes, inner.length - 5), plain, sizeof plain, true);
    struct file_bytes outer = gzip_of(inner.bytes, inner.length);
    outer.length -= 8; /* the trailer alone: all bytes are there, and cut it is */
    expect_unpacked(outer, plain, sizeof plain, true);
    file_release(&inner);
}

TEST(several_gzip_members_are_one_file)
{
    struct file_bytes member[3] = {gzip_of(plain, 1000), gzip_of("", 0), gzip_of(plain + 1000, 299000)};
    uint8_t *all = mem_alloc(sizeof plain + 4000);
    size_t n = 0;
    for (size_t i = 0; i < 3; i++) {
        memcpy(all + n, member[i].bytes, member[i].length);
        n += member[i].length;
        file_release(&member[i]);
    }
    expect_unpacked(own(all, n), plain, sizeof plain, false);
    expect_unpacked(own(all, n - 100), plain, sizeof plain, true);
    memset(all + n, 0, 512); /* padding */
    expect_unpacked(own(all, n + 512), plain, sizeof plain, false);
    free(all);
}

TEST(gzip_that_is_cut_gives_what_there_is)
{
    assert_true(cut_everywhere(gzip_of(plain, sizeof plain), 2) > 200000);
}

TEST(gzip_that_is_no_gzip_behind_its_magic_is_invalid)
{
    struct file_bytes file = own("\x1f\x8b\x63\x63\x63\x63\x63\x63\x63\x63\x63\x63\x63", 13);
    assert_int_equal(file_unpack(&file, &err), STATUS_INVALID);
    assert_has(err.text, "gzip");
    file_release(&file);
}
#else
TEST(gzip_is_refused_in_words_without_zlib)
{
    struct file_bytes file = own("\x1f\x8b\x08 and more", 12);
    assert_int_equal(file_unpack(&file, &err), STATUS_UNSUPPORTED);
    assert_has(err.text, "gunzip");
    file_release(&file);
}
#endif

int main(void)
{
    fill_plain();
    const struct CMUnitTest tests[] = {
        FOLDER(a_file_is_read_whole),
#if SIZE_MAX < UINT64_MAX
        FOLDER(a_file_of_more_bytes_than_there_are_addresses_is_refused),
#endif
        FOLDER(an_empty_file_is_read_as_nothing),
        FOLDER(a_missing_file_and_a_folder_are_refused_by_name),
        FOLDER(what_is_not_packed_stays_as_it_is),
        FOLDER(zstd_is_unpacked_and_several_frames_are_one_file),
        FOLDER(zstd_that_is_cut_is_read_up_to_its_last_whole_block),
        FOLDER(zstd_that_is_cut_before_its_first_block_is_truncated),
        FOLDER(little_zstd_may_hold_many_bytes),
        FOLDER(zstd_that_is_no_zstd_behind_its_magic_is_invalid),
        FOLDER(lz4_and_zip_are_refused_with_the_command_that_helps),
#ifdef HAVE_ZLIB
        FOLDER(gzip_is_unpacked),
        FOLDER(gzip_of_zstd_and_zstd_of_gzip_are_unpacked),
        FOLDER(a_cut_inside_is_still_a_cut_outside),
        FOLDER(several_gzip_members_are_one_file),
        FOLDER(gzip_that_is_cut_gives_what_there_is),
        FOLDER(gzip_that_is_no_gzip_behind_its_magic_is_invalid),
#else
        FOLDER(gzip_is_refused_in_words_without_zlib),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
