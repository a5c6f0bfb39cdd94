import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Burn THREADS MS STATUS [halt]: thread i burns (i + 1) x MS of CPU time, and prints what the JVM says it used. */
public class Burn {
    static volatile double sink;
    static final long[] used = new long[64];

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        long ms = Long.parseLong(args[1]);
        for (int i = 0; i < threads.length; i++) {
            long goal = (i + 1) * ms * 1_000_000;
            int number = i;
            threads[i] = new Thread(() -> burn(goal, number), "burn-" + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        for (int i = 0; i < threads.length; i++)
            System.out.println("burn-" + i + " " + used[i]);
        if (args.length > 3)
            Runtime.getRuntime().halt(Integer.parseInt(args[2]));
        System.exit(Integer.parseInt(args[2]));
    }

    static void burn(long goal, int number) {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        double x = 1;
        while (bean.getCurrentThreadCpuTime() < goal)
            for (int k = 0; k < 10000; k++)
                x = Math.sin(x) + 1;
        sink = x;
        used[number] = bean.getCurrentThreadCpuTime();
        try {
            Thread.sleep(2000); // a thread's record needs a cycle that it is there at the end of
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
