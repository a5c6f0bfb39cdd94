import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.StringJoiner;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/*
 * What the JDK's own reader sees in a recording, for a program in another language to print the same and compare.
 *
 *     java JfrSamples.java [--chunks] FILE        (JDK 11 or later; exit 1 where the JDK cannot read the file)
 *
 * --chunks reads each chunk of FILE as a file of its own. (Without it the JDK converts the times of a later chunk with the first
 * chunk's clock while the metadata stays the same, and then they are some nanoseconds off what the chunk itself says.)
 *
 * The unfinished file of a killed JVM: JDK 11 and 17 read it whole; 21 and 25 print all but its last event and then give up (exit 1).
 *
 * Output: UTF-8, one line an event, LF. Events of other types are left out. Lines come in the order of the reader: sort both sides.
 * Fields are separated by one tab (TAB below). Every line has exactly the fields of its type, in this order:
 *
 *     TYPE start thread ...
 *
 *     jdk.ExecutionSample        start thread(sampledThread) state STACK
 *     jdk.NativeMethodSample     start thread(sampledThread) state STACK
 *     jdk.CPUTimeSample          start thread(eventThread) samplingPeriod:span failed:bool biased:bool STACK
 *     jdk.CPUTimeSamplesLost     start thread(eventThread) lostSamples:long
 *     jdk.ThreadCPULoad          start thread(eventThread) user:float system:float
 *     jdk.CPULoad                start -                   jvmUser:float jvmSystem:float machineTotal:float
 *     jdk.ThreadStart            start thread(thread)
 *     jdk.ThreadEnd              start thread(thread)
 *     jdk.GCCPUTime              start -                   gcId:long userTime:span systemTime:span realTime:span
 *     jdk.ActiveSetting          start -                   id:long name:string value:string
 *     jdk.BooleanFlag            start -                   name:string value:bool origin:string
 *     jdk.JVMInformation         start -                   pid:long
 *     jdk.CPUInformation         start -                   hwThreads:long
 *     jdk.ContainerConfiguration start -                   effectiveCpuCount:long
 *     jdk.GCPhasePause           start -                   duration gcId:long name:string
 *     jdk.GarbageCollection      start -                   duration gcId:long name:string cause:string sumOfPauses:span longestPause:span
 *
 * - TYPE: the event type's full name. The field after `start` is `-` for events that are about no one thread, whatever thread wrote them.
 * - start: nanoseconds since 1970, decimal: start_nanos + (int64)((ticks - start_ticks) / (ticks_per_second / 1e9)) in double.
 * - duration: nanoseconds: the converted time of (start ticks + duration ticks), minus the converted start: both ends are rounded.
 * - long: decimal, signed; for fields annotated jdk.jfr.Unsigned the unsigned value (of 4 bytes and fewer).
 * - span: a length of time in nanoseconds, decimal. Fields annotated Timespan TICKS: (int64)(ticks / (ticks_per_second / 1e9)) in double;
 *   NANOSECONDS: the number; MICROSECONDS, MILLISECONDS, SECONDS: multiplied. The lowest long there is, -2^63, stays (forever).
 * - float: the bits of the IEEE 754 single, read as a signed 32-bit integer, decimal (0.5 is 1056964608).
 * - bool: `true` or `false`.
 * - string, and state (the thread state's name, as STATE_RUNNABLE), origin: the text, escaped: backslash, tab and LF inside become \\ \t \n
 *   (two characters each). A null string is nothing at all (an empty field).
 *   Characters are UTF-8; a surrogate without its other half is `?`.
 * - Where the event type of the file has no field of that name (other versions, other writers): `-`.
 * - thread: `-` where it is null or its pool entry is missing, else seven parts joined with `|`:
 *       id|osThreadId|osName|javaName|javaThreadId|group|virtual
 *   id: the key of the thread in the constant pool (jdk.types / java.lang.Thread), decimal. osThreadId, javaThreadId: decimal as stored.
 *   osName, javaName: strings. group: the `name` of the thread's group, nothing where either is null. virtual: true or false, false
 *   where the file has no such field (before JDK 21).
 * - STACK is three fields: truncated:bool, number of frames, frames. All three are `-` where the stack is null (or its entry missing).
 *   Frames are joined with ` < ` (space, less-than, space), youngest first as stored, hidden ones included; no frames, empty field. Each is
 *       CLASS.METHOD:lineNumber:bytecodeIndex:TYPE
 *   and `:hidden` after that where the method's `hidden` is true.
 *   CLASS: the name of the method's class, every `/` replaced by `.` and nothing else (JDK 17's
 *   Loop$$Lambda$89+0x00007fb02c008a08/1019384604 so ends in .1019384604). METHOD: the method's name, no descriptor.
 *   lineNumber, bytecodeIndex: decimal. TYPE: the frame type's description (Interpreted, JIT compiled, Inlined, Native, C++ ...).
 *   Where the class is null or its name is, CLASS is `-`; where the method is null, CLASS.METHOD is `-` and nothing is hidden.
 */
public final class JfrSamples {
    private static final PrintStream OUT = out();

    private static PrintStream out() {
        try {
            return new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), false, "UTF-8");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws IOException {
        boolean chunks = args.length == 2 && args[0].equals("--chunks");
        if (args.length != (chunks ? 2 : 1)) {
            System.err.println("usage: java JfrSamples.java [--chunks] FILE");
            System.exit(2);
        }
        int status = 0;
        try {
            Path file = Path.of(args[args.length - 1]);
            if (chunks) {
                printChunks(file);
            } else {
                print(file);
            }
        } catch (IOException | RuntimeException | StackOverflowError e) {
            System.err.println("JfrSamples: " + e);
            status = 1;
        }
        OUT.flush();
        System.exit(status);
    }

    /** Bytes 8 to 15 of a chunk are its size. */
    private static void printChunks(Path file) throws IOException {
        Path copy = Files.createTempFile("chunk", ".jfr");
        try (FileChannel in = FileChannel.open(file)) {
            for (long at = 0; at < in.size(); ) {
                ByteBuffer size = ByteBuffer.allocate(8);
                in.read(size, at + 8);
                long length = size.getLong(0);
                if (length < 68 || length > in.size() - at) {
                    throw new IOException("the chunk at byte " + at + " has the size " + length);
                }
                try (FileChannel out = FileChannel.open(copy, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                    for (long done = 0; done < length; ) {
                        done += in.transferTo(at + done, length - done, out);
                    }
                }
                print(copy);
                at += length;
            }
        } finally {
            Files.delete(copy);
        }
    }

    private static void print(Path file) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String fields = fields(event);
                if (fields != null) {
                    long start = event.getStartTime().getEpochSecond() * 1_000_000_000L + event.getStartTime().getNano();
                    OUT.print(event.getEventType().getName() + "\t" + start + "\t" + fields + "\n");
                }
            }
        }
    }

    private static String fields(RecordedEvent e) {
        switch (e.getEventType().getName()) {
            case "jdk.ExecutionSample":
            case "jdk.NativeMethodSample":
                return join(thread(e, "sampledThread"), string(e, "state"), stack(e.getStackTrace()));
            case "jdk.CPUTimeSample":
                return join(thread(e, "eventThread"), span(e, "samplingPeriod"), bool(e, "failed"), bool(e, "biased"), stack(e.getStackTrace()));
            case "jdk.CPUTimeSamplesLost":
                return join(thread(e, "eventThread"), integer(e, "lostSamples"));
            case "jdk.ThreadCPULoad":
                return join(thread(e, "eventThread"), bits(e, "user"), bits(e, "system"));
            case "jdk.CPULoad":
                return join("-", bits(e, "jvmUser"), bits(e, "jvmSystem"), bits(e, "machineTotal"));
            case "jdk.ThreadStart":
            case "jdk.ThreadEnd":
                return thread(e, "thread");
            case "jdk.GCCPUTime":
                return join("-", integer(e, "gcId"), span(e, "userTime"), span(e, "systemTime"), span(e, "realTime"));
            case "jdk.ActiveSetting":
                return join("-", integer(e, "id"), string(e, "name"), string(e, "value"));
            case "jdk.BooleanFlag":
                return join("-", string(e, "name"), bool(e, "value"), string(e, "origin"));
            case "jdk.JVMInformation":
                return join("-", integer(e, "pid"));
            case "jdk.CPUInformation":
                return join("-", integer(e, "hwThreads"));
            case "jdk.ContainerConfiguration":
                return join("-", integer(e, "effectiveCpuCount"));
            case "jdk.GCPhasePause":
                return join("-", String.valueOf(e.getDuration().toNanos()), integer(e, "gcId"), string(e, "name"));
            case "jdk.GarbageCollection":
                return join("-", String.valueOf(e.getDuration().toNanos()), integer(e, "gcId"), string(e, "name"), string(e, "cause"),
                    span(e, "sumOfPauses"), span(e, "longestPause"));
            default:
                return null;
        }
    }

    private static String join(String... fields) {
        return String.join("\t", fields);
    }

    private static String integer(RecordedObject object, String name) {
        return object.hasField(name) ? Long.toString(object.getLong(name)) : "-";
    }

    private static String span(RecordedObject object, String name) {
        if (!object.hasField(name)) {
            return "-";
        }
        try {
            return Long.toString(object.getDuration(name).toNanos());
        } catch (ArithmeticException e) { // forever
            return Long.toString(Long.MIN_VALUE);
        }
    }

    private static String bits(RecordedObject object, String name) {
        return object.hasField(name) ? Integer.toString(Float.floatToIntBits(object.getFloat(name))) : "-";
    }

    private static String bool(RecordedObject object, String name) {
        return object.hasField(name) ? Boolean.toString(object.getBoolean(name)) : "-";
    }

    private static String string(RecordedObject object, String name) {
        return object.hasField(name) ? escape(object.getString(name)) : "-";
    }

    private static String escape(String text) {
        return text == null ? "" : text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
    }

    private static String thread(RecordedEvent event, String field) {
        RecordedThread thread = event.hasField(field) ? event.getThread(field) : null;
        if (thread == null) {
            return "-";
        }
        boolean virtual = thread.hasField("virtual") && thread.getBoolean("virtual");
        String group = thread.getThreadGroup() == null ? null : thread.getThreadGroup().getName();
        return thread.getId() + "|" + integer(thread, "osThreadId") + "|" + string(thread, "osName") + "|" + string(thread, "javaName") + "|"
            + integer(thread, "javaThreadId") + "|" + escape(group) + "|" + virtual;
    }

    private static String stack(RecordedStackTrace stack) {
        if (stack == null) {
            return join("-", "-", "-");
        }
        List<RecordedFrame> frames = stack.getFrames();
        StringJoiner text = new StringJoiner(" < ");
        for (RecordedFrame frame : frames) {
            text.add(frame(frame));
        }
        return join(Boolean.toString(stack.isTruncated()), Integer.toString(frames.size()), text.toString());
    }

    private static String frame(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        String name = "-";
        if (method != null) {
            String type = method.getType() == null ? null : method.getType().getString("name");
            name = (type == null ? "-" : escape(method.getType().getName())) + "." + escape(method.getName());
        }
        return name + ":" + frame.getLineNumber() + ":" + frame.getBytecodeIndex() + ":" + escape(frame.getType())
            + (method != null && method.isHidden() ? ":hidden" : "");
    }
}
// SPDX-License-Identifier: GPL-3.0-or-later
