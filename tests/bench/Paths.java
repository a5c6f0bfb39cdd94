import java.util.Arrays;

/**
 * Paths THREADS SECONDS [CLASS ARGS...]: calls itself along random paths, so that nearly every stack trace is another
 * one; beside it runs CLASS.
 */
public class Paths {
    static volatile long sink;
    static volatile Object kept;

    static final class Way {
        long state;

        Way(long seed) {
            state = seed * 0x9e3779b97f4a7c15L + 1;
        }

        int next(int bound) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) ((state >>> 33) % bound);
        }
    }

    static long go(Way way, int depth) {
        if (depth == 0) {
            kept = new long[8 + way.next(64)];
            long x = way.state;
            for (int i = 0; i < 3000; i++)
                x = x * 31 + (x >>> 7);
            return x;
        }
        switch (way.next(16)) {
            case 0:
                return step0(way, depth - 1);
            case 1:
                return step1(way, depth - 1);
            case 2:
                return step2(way, depth - 1);
            case 3:
                return step3(way, depth - 1);
            case 4:
                return step4(way, depth - 1);
            case 5:
                return step5(way, depth - 1);
            case 6:
                return step6(way, depth - 1);
            case 7:
                return step7(way, depth - 1);
            case 8:
                return step8(way, depth - 1);
            case 9:
                return step9(way, depth - 1);
            case 10:
                return step10(way, depth - 1);
            case 11:
                return step11(way, depth - 1);
            case 12:
                return step12(way, depth - 1);
            case 13:
                return step13(way, depth - 1);
            case 14:
                return step14(way, depth - 1);
            default:
                return step15(way, depth - 1);
        }
    }

    static long step0(Way way, int depth) {
        return go(way, depth) + 0;
    }

    static long step1(Way way, int depth) {
        return go(way, depth) + 1;
    }

    static long step2(Way way, int depth) {
        return go(way, depth) + 2;
    }

    static long step3(Way way, int depth) {
        return go(way, depth) + 3;
    }

    static long step4(Way way, int depth) {
        return go(way, depth) + 4;
    }

    static long step5(Way way, int depth) {
        return go(way, depth) + 5;
    }

    static long step6(Way way, int depth) {
        return go(way, depth) + 6;
    }

    static long step7(Way way, int depth) {
        return go(way, depth) + 7;
    }

    static long step8(Way way, int depth) {
        return go(way, depth) + 8;
    }

    static long step9(Way way, int depth) {
        return go(way, depth) + 9;
    }

    static long step10(Way way, int depth) {
        return go(way, depth) + 10;
    }

    static long step11(Way way, int depth) {
        return go(way, depth) + 11;
    }

    static long step12(Way way, int depth) {
        return go(way, depth) + 12;
    }

    static long step13(Way way, int depth) {
        return go(way, depth) + 13;
    }

    static long step14(Way way, int depth) {
        return go(way, depth) + 14;
    }

    static long step15(Way way, int depth) {
        return go(way, depth) + 15;
    }

    static void runBeside(String[] args) {
        try {
            Object rest = Arrays.copyOfRange(args, 1, args.length);
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, rest);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        if (args.length > 2)
            new Thread(() -> runBeside(Arrays.copyOfRange(args, 2, args.length))).start();
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
        for (int i = 0; i < threads.length; i++) {
            Way way = new Way(i);
            threads[i] = new Thread(() -> {
                while (System.nanoTime() < end)
                    sink += go(way, 5 + way.next(25));
            }, "paths-" + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
