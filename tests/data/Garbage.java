import java.util.ArrayList;
import java.util.List;

/** Makes garbage for some seconds: most of it dies young, some lives a while, and the collector is called now and then. */
public class Garbage {
    static volatile Object sink;

    static void churn(List<byte[]> kept) {
        for (int i = 0; i < 4000; i++) {
            byte[] made = new byte[8 * 1024];
            made[i % made.length] = 1;
            if (i % 8 == 0) {
                kept.add(made);
            }
            sink = made;
        }
        if (kept.size() > 6000) {
            kept.subList(0, kept.size() - 2000).clear();
        }
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9);
        List<byte[]> kept = new ArrayList<>();
        for (int round = 0; System.nanoTime() < end; round++) {
            churn(kept);
            if (round % 40 == 20) {
                System.gc();
            }
        }
        System.out.println(kept.size());
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
