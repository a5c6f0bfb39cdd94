import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * The example of JEP 509: a client makes ten fast requests and then a slow one, over and over. Both take about a second.
 * The fast ones compute for their time, the slow one waits for its answer: nearly all the energy is tenFastRequests'.
 *
 *     java Requests.java [--seconds N]
 */
public final class Requests {
    private static final int FAST = 1;
    private static final int SLOW = 2;
    private final DataInputStream answers;
    private final DataOutputStream questions;

    private Requests(Socket server) throws IOException {
        answers = new DataInputStream(server.getInputStream());
        questions = new DataOutputStream(server.getOutputStream());
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length == 2 && args[0].equals("--seconds") ? Long.parseLong(args[1]) : 10;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> serve(listener), "server");
            server.setDaemon(true);
            server.start();
            try (Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                Requests client = new Requests(socket);
                Thread thread = new Thread(() -> client.run(System.nanoTime() + seconds * 1_000_000_000L), "client");
                thread.start();
                thread.join();
            }
        }
    }

    private void run(long end) {
        try {
            while (System.nanoTime() < end) {
                tenFastRequests();
                oneSlowRequest();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void tenFastRequests() throws IOException {
        for (int i = 0; i < 10; i++) {
            fastRequest();
        }
    }

    private void oneSlowRequest() throws IOException {
        slowRequest();
    }

    /** The answer is there at once; working on it takes 100 ms. */
    private void fastRequest() throws IOException {
        compute(request(FAST), System.nanoTime() + 100_000_000L);
    }

    /** The answer takes the server a second. */
    private void slowRequest() throws IOException {
        request(SLOW);
    }

    private long request(int kind) throws IOException {
        questions.writeInt(kind);
        return answers.readLong();
    }

    private static long compute(long value, long end) {
        while (System.nanoTime() < end) {
            value = hash(value);
        }
        return value;
    }

    private static long hash(long value) {
        for (int i = 0; i < 10_000; i++) {
            value = (value ^ value >>> 29) * 0xbf58476d1ce4e5b9L + i;
        }
        return value;
    }

    /** The server's end: it only ever waits. */
    private static void serve(ServerSocket listener) {
        try (Socket client = listener.accept()) {
            DataInputStream questions = new DataInputStream(client.getInputStream());
            DataOutputStream answers = new DataOutputStream(client.getOutputStream());
            while (true) {
                if (questions.readInt() == SLOW) {
                    Thread.sleep(1_000);
                }
                answers.writeLong(42);
            }
        } catch (IOException | InterruptedException e) {
            // the client is gone
        }
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
