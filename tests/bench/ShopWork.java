package com.example.shop;

import com.sun.management.OperatingSystemMXBean;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.util.Random;

/** ShopWork WARM-UP REQUESTS: so many requests to the sample shop by two threads, and prints the CPU nanoseconds a request after the first. */
class ShopWork {
    public static void main(String[] args) throws Exception {
        var handle = Shop.class.getDeclaredMethod("handle", String.class);
        handle.setAccessible(true);
        MethodHandle work = MethodHandles.lookup().unreflect(handle);
        Shop shop = new Shop(42);
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        serve(shop, work, Integer.parseInt(args[0]), 1);
        System.gc();
        long before = system.getProcessCpuTime();
        int requests = Integer.parseInt(args[1]);
        serve(shop, work, requests, 2);
        System.out.println((system.getProcessCpuTime() - before) / requests);
    }

    static void serve(Shop shop, MethodHandle work, int requests, long seed) throws Exception {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            var customers = new Customers(shop.catalog, new Random(seed * 10 + i));
            threads[i] = new Thread(() -> {
                try {
                    for (int done = 0; done < requests / 2; done++)
                        work.invoke(shop, customers.nextRequest());
                } catch (Throwable e) {
                    e.printStackTrace();
                    System.exit(1);
                }
            }, "desk-" + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
