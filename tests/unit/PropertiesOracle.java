import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Makes COUNT small properties files of the characters that matter, from SEED, in DIR, each with what Java reads in it. */
public class PropertiesOracle {
    private static final String[] PIECES = {"a", "b", "=", ":", " ", "\t", "\f", "\\", "\\\\", "\n", "\r", "\r\n", "#", "!",
        "\\u0041", "\\u00e9", "\\ud83d\\ude00", "\\u20ac", "\\ud83d", "\\u12", "\\t", "\\n", "\\:", "\\=", "\\#", "\u00e9", "\\q"};

    public static void main(String[] args) throws IOException {
        Random random = new Random(Long.parseLong(args[2]));
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(14); n > 0; n--)
                text.append(PIECES[random.nextInt(PIECES.length)]);
            byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
            try (OutputStream out = new FileOutputStream(args[0] + "/" + i + ".properties")) {
                out.write(bytes);
            }
            try (Writer out = new OutputStreamWriter(new FileOutputStream(args[0] + "/" + i + ".expected"), StandardCharsets.UTF_8)) {
                out.write(read(bytes));
            }
        }
    }

    private static String read(byte[] bytes) throws IOException {
        Properties properties = new Properties();
        try {
            properties.load(new ByteArrayInputStream(bytes));
        } catch (IllegalArgumentException e) {
            return "refused\n";
        }
        StringBuilder lines = new StringBuilder();
        for (String key : new TreeSet<>(properties.stringPropertyNames()))
            lines.append(show(key)).append(" -> ").append(show(properties.getProperty(key))).append('\n');
        return lines.toString();
    }

    private static String show(String text) { // code points in hexadecimal, lone surrogates as U+FFFD
        StringBuilder hex = new StringBuilder();
        text.codePoints().forEach(c -> hex.append(String.format("%x.", c >= 0xd800 && c < 0xe000 ? 0xfffd : c)));
        return hex.toString();
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
