package com.example.shop;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A small web shop without the web: customers place orders and search the catalog, and now and then someone wants a sales report.
 * Every third second is a rush hour with three times the requests.
 *
 *     javac -d classes Shop.java
 *     java -cp classes com.example.shop.Shop [--seconds N] [--seed N] [--virtual]
 *
 * --virtual handles each request on a virtual thread of its own (JDK 21 and later).
 */
public final class Shop {
    private static final int QUIET_REQUESTS_PER_SECOND = 1500;
    private static final int RUSH_REQUESTS_PER_SECOND = 4500;

    final Catalog catalog;
    final OrderBook orders = new OrderBook(20_000);
    final SessionCache sessions = new SessionCache(32);
    final AtomicInteger handled = new AtomicInteger();
    private final Semaphore inFlight = new Semaphore(64);

    Shop(long seed) {
        catalog = Catalog.generate(3_000, new Random(seed));
    }

    public static void main(String[] args) throws Exception {
        long seconds = 10;
        long seed = 42;
        boolean virtual = false;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--seconds" -> seconds = Long.parseLong(args[++i]);
                case "--seed" -> seed = Long.parseLong(args[++i]);
                case "--virtual" -> virtual = true;
                default -> {
                    System.err.println("usage: Shop [--seconds N] [--seed N] [--virtual]");
                    System.exit(2);
                }
            }
        }
        Shop shop = new Shop(seed);
        shop.open(seconds, new Customers(shop.catalog, new Random(seed + 1)), virtual);
        System.out.println(shop.handled.get() + " requests, " + shop.orders.size() + " orders in the book");
    }

    /** Lets customers in until the seconds are over. */
    void open(long seconds, Customers customers, boolean virtual) throws Exception {
        ExecutorService orderDesk = virtual ? virtualThreads() : workers("orders", 2);
        ExecutorService searchDesk = virtual ? virtualThreads() : workers("search", 2);
        ExecutorService office = workers("reports", 1);
        long start = System.nanoTime();
        long nextReport = 0;
        for (double due = 0; due < seconds; ) {
            long wait = start + (long) (due * 1e9) - System.nanoTime();
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
            if (due >= nextReport) {
                nextReport += 2;
                office.execute(() -> new SalesReport(orders).print());
            }
            String request = customers.nextRequest();
            inFlight.acquire();
            (request.startsWith("ORDER") ? orderDesk : searchDesk).execute(() -> handle(request));
            double behind = (System.nanoTime() - start) / 1e9 - due;
            boolean rush = (long) due % 3 == 2;
            due += behind > 1 ? behind : 1.0 / (rush ? RUSH_REQUESTS_PER_SECOND : QUIET_REQUESTS_PER_SECOND);
        }
        for (ExecutorService desk : List.of(orderDesk, searchDesk, office)) {
            desk.shutdown();
            desk.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private void handle(String request) {
        try {
            String answer = request.startsWith("ORDER") ? placeOrder(request) : searchCatalog(request);
            sessions.remember(request.hashCode() & 511, answer);
            handled.incrementAndGet();
        } finally {
            inFlight.release();
        }
    }

    private String placeOrder(String request) {
        Order order = new OrderParser(catalog).parse(request);
        Invoice invoice = new PriceCalculator().invoice(order);
        String signature = Signatures.sign(order);
        orders.add(order);
        return JsonWriter.write(order, invoice, signature);
    }

    private String searchCatalog(String request) {
        String[] words = request.substring("SEARCH ".length()).split(" ");
        return new PageRenderer().render(words, catalog.search(words, 40));
    }

    private static ExecutorService workers(String name, int count) {
        AtomicInteger number = new AtomicInteger();
        return Executors.newFixedThreadPool(count, task -> new Thread(task, name + "-" + number.incrementAndGet()));
    }

    /** By reflection, so that this compiles with JDK 17 too. */
    private static ExecutorService virtualThreads() throws Exception {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException("--virtual needs JDK 21 or later");
        }
    }
}

record Product(int number, String name, List<String> words, long cents) {}

record OrderLine(Product product, int quantity) {}

record Order(String id, String customer, String city, List<OrderLine> lines) {}

record Invoice(long net, long discount, long tax, long total) {}

record Hit(Product product, double score) {}

/** What customers send: lines of text, always the same ones for a seed. */
final class Customers {
    private static final String[] CITIES = {"Lisbon", "Porto", "Paris", "Lyon", "Berlin", "Hamburg", "Vienna", "Graz", "Rome", "Oslo"};
    private final Catalog catalog;
    private final Random random;
    private int orderNumber;

    Customers(Catalog catalog, Random random) {
        this.catalog = catalog;
        this.random = random;
    }

    String nextRequest() {
        return random.nextInt(3) == 0 ? searchRequest() : orderRequest();
    }

    private String searchRequest() {
        List<String> words = catalog.anyProduct(random).words();
        return "SEARCH " + words.get(0) + " " + words.get(random.nextInt(words.size())) + " " + catalog.anyProduct(random).words().get(1);
    }

    private String orderRequest() {
        StringBuilder text = new StringBuilder("ORDER id=").append(++orderNumber)
            .append(";customer=c").append(random.nextInt(500)).append(";city=").append(CITIES[random.nextInt(CITIES.length)]);
        for (int i = 5 + random.nextInt(60); i > 0; i--) {
            text.append(";item=").append(catalog.anyProduct(random).number()).append('*').append(1 + random.nextInt(9));
        }
        return text.toString();
    }
}

/** The products, and which words lead to which of them. */
final class Catalog {
    private static final String[] COLORS = {"red", "green", "blue", "black", "white", "silver", "golden", "purple"};
    private static final String[] KINDS = {"small", "large", "folding", "wooden", "electric", "garden", "kitchen", "travel", "antique"};
    private static final String[] THINGS = {"chair", "table", "lamp", "kettle", "bicycle", "tent", "clock", "radio", "shelf", "mirror", "stove"};
    private final List<Product> products = new ArrayList<>();
    private final Map<String, List<Product>> index = new HashMap<>();

    static Catalog generate(int count, Random random) {
        Catalog catalog = new Catalog();
        for (int number = 0; number < count; number++) {
            List<String> words = List.of(THINGS[random.nextInt(THINGS.length)], KINDS[random.nextInt(KINDS.length)],
                COLORS[random.nextInt(COLORS.length)], "model" + number % 97);
            catalog.add(new Product(number, String.join(" ", words), words, 99 + random.nextInt(50_000)));
        }
        return catalog;
    }

    private void add(Product product) {
        products.add(product);
        for (String word : product.words()) {
            index.computeIfAbsent(word, w -> new ArrayList<>()).add(product);
        }
    }

    Product product(int number) {
        return products.get(number);
    }

    Product anyProduct(Random random) {
        return products.get(random.nextInt(products.size()));
    }

    List<Hit> search(String[] words, int limit) {
        return rank(score(words), limit);
    }

    private Map<Product, Double> score(String[] words) {
        Map<Product, Double> scores = new HashMap<>();
        for (String word : words) {
            List<Product> found = index.getOrDefault(word, List.of());
            double weight = Math.log(1.0 + (double) products.size() / (1 + found.size()));
            for (Product product : found) {
                scores.merge(product, weight, Double::sum);
            }
        }
        return scores;
    }

    private List<Hit> rank(Map<Product, Double> scores, int limit) {
        List<Hit> hits = new ArrayList<>();
        scores.forEach((product, score) -> hits.add(new Hit(product, score + similarity(product))));
        hits.sort(Comparator.comparingDouble(Hit::score).reversed().thenComparing(hit -> hit.product().name()));
        return hits.subList(0, Math.min(limit, hits.size()));
    }

    /** Cheap products with short names first. */
    private double similarity(Product product) {
        return 1.0 / (1 + Math.sqrt(product.cents()) + product.name().length());
    }
}

/** Reads {@code ORDER id=7;customer=c12;city=Porto;item=17*2;item=4*1}. */
final class OrderParser {
    private final Catalog catalog;

    OrderParser(Catalog catalog) {
        this.catalog = catalog;
    }

    Order parse(String text) {
        Map<String, String> header = new LinkedHashMap<>();
        List<OrderLine> lines = new ArrayList<>();
        for (String field : text.substring("ORDER ".length()).split(";")) {
            int equals = field.indexOf('=');
            String key = field.substring(0, equals);
            if (key.equals("item")) {
                lines.add(parseLine(field.substring(equals + 1)));
            } else {
                header.put(key, field.substring(equals + 1));
            }
        }
        return new Order(header.get("id"), header.get("customer"), header.get("city"), lines);
    }

    private OrderLine parseLine(String text) {
        String[] parts = text.split("\\*");
        return new OrderLine(catalog.product(Integer.parseInt(parts[0])), Integer.parseInt(parts[1]));
    }
}

final class PriceCalculator {
    Invoice invoice(Order order) {
        long net = 0;
        long discount = 0;
        for (OrderLine line : order.lines()) {
            long price = line.product().cents() * line.quantity();
            net += price;
            discount += line.quantity() >= 5 ? price / 20 : 0;
        }
        long tax = (net - discount) * taxPercent(order.city()) / 100;
        return new Invoice(net, discount, tax, net - discount + tax);
    }

    private int taxPercent(String city) {
        return switch (city) {
            case "Berlin", "Hamburg" -> 19;
            case "Lisbon", "Porto" -> 23;
            case "Oslo" -> 25;
            default -> 20;
        };
    }
}

/** A proof of work for an order: a chain of SHA-256 over its lines. */
final class Signatures {
    private static final int ROUNDS = 2000;

    static String sign(Order order) {
        byte[] hash = digest((order.id() + order.customer() + order.lines()).getBytes(StandardCharsets.UTF_8));
        for (int round = 1; round < ROUNDS; round++) {
            hash = digest(hash);
        }
        return hex(hash);
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            text.append(String.format("%02x", b));
        }
        return text.toString();
    }
}

final class JsonWriter {
    static String write(Order order, Invoice invoice, String signature) {
        StringBuilder json = new StringBuilder("{");
        string(json, "id", order.id()).append(',');
        string(json, "customer", order.customer()).append(',');
        string(json, "signature", signature).append(",\"total\":").append(invoice.total()).append(",\"lines\":[");
        for (OrderLine line : order.lines()) {
            string(json.append('{'), "name", line.product().name()).append(",\"quantity\":").append(line.quantity()).append("},");
        }
        json.setCharAt(json.length() - 1, ']');
        return json.append('}').toString();
    }

    private static StringBuilder string(StringBuilder json, String key, String value) {
        json.append('"').append(key).append("\":\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                json.append('\\');
            }
            json.append(c);
        }
        return json.append('"');
    }
}

final class PageRenderer {
    String render(String[] words, List<Hit> hits) {
        StringBuilder page = new StringBuilder("<h1>").append(escape(String.join(" ", words))).append("</h1>\n<ul>\n");
        for (Hit hit : hits) {
            page.append(row(hit));
        }
        return page.append("</ul>\n").toString();
    }

    private String row(Hit hit) {
        return String.format("<li>%s <b>%,.2f EUR</b> (%.3f)</li>%n", escape(hit.product().name()), hit.product().cents() / 100.0, hit.score());
    }

    private String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

/** The last orders; older ones are garbage that lived long. */
final class OrderBook {
    private final ConcurrentLinkedDeque<Order> orders = new ConcurrentLinkedDeque<>();
    private final AtomicInteger size = new AtomicInteger();
    private final int limit;

    OrderBook(int limit) {
        this.limit = limit;
    }

    void add(Order order) {
        orders.addLast(order);
        if (size.incrementAndGet() > limit && orders.pollFirst() != null) {
            size.decrementAndGet();
        }
    }

    int size() {
        return size.get();
    }

    List<Order> all() {
        return new ArrayList<>(orders);
    }
}

/** Remembers the last answer of each session: large values that are replaced all the time. */
final class SessionCache {
    private final Map<Integer, byte[]> answers = new ConcurrentHashMap<>();
    private final int pageKilobytes;

    SessionCache(int pageKilobytes) {
        this.pageKilobytes = pageKilobytes;
    }

    void remember(int session, String answer) {
        byte[] page = new byte[pageKilobytes * 1024];
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, page, 0, Math.min(bytes.length, page.length));
        answers.put(session, page);
    }
}

/** Who buys what, where: groups and sorts the whole order book. */
final class SalesReport {
    private final List<Order> orders;

    SalesReport(OrderBook book) {
        orders = book.all();
    }

    void print() {
        String cities = salesByCity().entrySet().stream().map(e -> e.getKey() + " " + e.getValue() / 100).collect(Collectors.joining(", "));
        System.out.println("best sellers " + bestSellers(3) + "; best customers " + bestCustomers(3) + "; " + cities);
    }

    private Map<String, Long> salesByCity() {
        return orders.stream().collect(Collectors.groupingBy(Order::city, TreeMap::new, Collectors.summingLong(this::value)));
    }

    private List<String> bestCustomers(int count) {
        Map<String, Long> spent = orders.stream().collect(Collectors.groupingBy(Order::customer, Collectors.summingLong(this::value)));
        return top(spent, count);
    }

    private List<String> bestSellers(int count) {
        Map<String, Long> sold = new HashMap<>();
        for (Order order : orders) {
            for (OrderLine line : order.lines()) {
                sold.merge(line.product().name(), (long) line.quantity(), Long::sum);
            }
        }
        return top(sold, count);
    }

    private List<String> top(Map<String, Long> amounts, int count) {
        return amounts.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
            .limit(count).map(Map.Entry::getKey).collect(Collectors.toList());
    }

    private long value(Order order) {
        return new PriceCalculator().invoice(order).total();
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
