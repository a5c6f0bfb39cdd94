import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A program for recordings of any JDK from 11: java Small SECONDS [large]. One thread counts, one allocates, short ones come and go.
 *  With "large" one more allocates large arrays: it is inside the JVM then, where JDK 25 loses most of its CPU time samples. */
public class Small {
    static volatile long result;
    static volatile byte[] array;

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Thread counter = new Thread(() -> countPrimes(end), "counter");
        Thread allocator = new Thread(() -> joinWords(end), "allocator, with a comma");
        counter.start();
        allocator.start();
        if (args.length > 1) {
            new Thread(() -> makeArrays(end), "large arrays").start();
        }
        for (int number = 1; System.nanoTime() < end; number++) {
            Thread brief = new Thread(Small::sortNumbers, "brief-" + number);
            brief.start();
            brief.join();
            Thread.sleep(150);
        }
        counter.join();
        allocator.join();
    }

    static void countPrimes(long end) {
        for (int number = 2; System.nanoTime() < end; number++) {
            if (isPrime(number)) {
                result++;
            }
        }
    }

    static boolean isPrime(int number) {
        for (int divisor = 2; divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    static void joinWords(long end) {
        Random random = new Random(1);
        while (System.nanoTime() < end) {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                words.add("w" + random.nextInt(1_000));
            }
            result += String.join(" ", words).length();
        }
    }

    static void makeArrays(long end) {
        while (System.nanoTime() < end) {
            array = new byte[1 << 20];
        }
    }

    static void sortNumbers() {
        long[] numbers = new Random(2).longs(200_000).toArray();
        java.util.Arrays.sort(numbers);
        result += numbers[0];
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
