#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-samples.sh [NAME...]: makes the recordings in samples/ and tests/data/ again, each with the power log of its run beside it.
# Without names, all of them. Needs joular-record ($JOULAR_RECORD, else the one in build/demo, which samples/demo.sh makes), root or
# the JDKs 11, 17, 21 and 25 (tests/jdk.sh), and Linux; takes about four minutes. The power is estimated: the machines that make
# samples have no meter.
#
# They are recorded with an empty environment in a neutral folder and without the events that describe the machine
# (SystemProcess, InitialEnvironmentVariable, ...), so that they can be given away. Other events that only make a file large are
# off too; what the analyzer reads is on. -XX:+DebugNonSafepoints puts samples where they belong, stackdepth=1024 keeps whole stacks.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
work=/tmp/joular-sample
record=${JOULAR_RECORD:-$top/build/demo/joular-record}
[ -x "$record" ] || { echo "record-samples.sh: $record is not there: run sh samples/demo.sh first" >&2; exit 1; }
mkdir "$work" || { echo "record-samples.sh: remove $work first" >&2; exit 1; }
trap 'rm -rf "$work"' EXIT
cd "$work"

quiet() { # COMMAND...: with nothing of our environment
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

off() { # EVENT...: as settings that turn them off
    for event; do
        printf ',jdk.%s#enabled=false' "$event"
    done
}

machine="SystemProcess InitialEnvironmentVariable InitialSystemProperty NativeLibrary OSInformation InitialSecurityProperty"
machine="$machine NetworkUtilization VirtualizationInformation PhysicalMemory SwapSpace"
chatty="GCPhaseParallel GCPhasePauseLevel1 GCPhasePauseLevel2 GCPhasePauseLevel3 GCPhasePauseLevel4 GCPhaseConcurrent
    GCPhaseConcurrentLevel1 GCPhaseConcurrentLevel2 PromoteObjectInNewPLAB PromoteObjectOutsidePLAB TenuringDistribution
    MetaspaceSummary MetaspaceChunkFreeListSummary MetaspaceAllocationFailure MetaspaceOOM GCHeapSummary G1HeapSummary PSHeapSummary
    GCReferenceStatistics G1BasicIHOP G1AdaptiveIHOP G1MMU G1EvacuationYoungStatistics G1EvacuationOldStatistics EvacuationInformation
    EvacuationFailed G1GarbageCollection YoungGarbageCollection GCConfiguration GCSurvivorConfiguration GCTLABConfiguration
    GCHeapConfiguration YoungGenerationConfiguration GCHeapMemoryUsage GCHeapMemoryPoolUsage ObjectAllocationSample
    ObjectAllocationInNewTLAB ObjectAllocationOutsideTLAB OldObjectSample ThreadPark ThreadSleep JavaMonitorEnter JavaMonitorWait
    JavaMonitorNotify JavaMonitorInflate JavaMonitorDeflate JavaMonitorStatistics SocketRead SocketWrite FileRead FileWrite FileForce
    JavaErrorThrow JavaExceptionThrow ExceptionStatistics ExecuteVMOperation SafepointBegin SafepointStateSynchronization
    SafepointCleanup SafepointCleanupTask SafepointEnd Compilation CompilationFailure CompilerPhase CompilerInlining Deoptimization
    CompilerStatistics CompilerConfiguration CompilerQueueUtilization CodeCacheStatistics CodeCacheConfiguration CodeSweeperStatistics
    CodeSweeperConfiguration SweepCodeCache CodeCacheFull ClassLoad ClassDefine ClassUnload ClassRedefinition RetransformClasses
    ClassLoadingStatistics ClassLoaderStatistics SymbolTableStatistics StringTableStatistics PlaceholderTableStatistics
    LoaderConstraintsTableStatistics ProtectionDomainCacheTableStatistics ModuleExport ModuleRequire ThreadAllocationStatistics
    ThreadContextSwitchRate ThreadDump JavaThreadStatistics DirectBufferStatistics FinalizerStatistics Finalizer NativeMemoryUsage
    NativeMemoryUsageTotal ResidentSetSize NativeLibraryLoad NativeLibraryUnload BiasedLockRevocation BiasedLockClassRevocation
    BiasedLockSelfRevocation SecurityPropertyModification TLSHandshake X509Validation X509Certificate SecurityProviderService
    Deserialization ProcessStart SystemGC MethodTrace MethodTiming DeprecatedInvocation SerializationMisdeclaration
    ReservedStackActivation ThreadPriority LongFlag UnsignedLongFlag IntFlag UnsignedIntFlag StringFlag DoubleFlag
    LongFlagChanged UnsignedLongFlagChanged IntFlagChanged UnsignedIntFlagChanged StringFlagChanged DoubleFlagChanged
    ContainerIOUsage ContainerMemoryUsage ContainerCPUThrottling VirtualThreadStart VirtualThreadEnd VirtualThreadPinned
    ShenandoahHeapRegionStateChange ZAllocationStall"

# profile.jfc of a JDK with other values for some settings (JDK 17 and later could take them on the command line, 11 cannot).
cat >Settings.java <<'EOS'
import java.nio.file.*;
import java.util.regex.*;

class Settings {
    public static void main(String[] args) throws Exception { // FILE EVENT#SETTING=VALUE,...
        String text = jdk.jfr.Configuration.getConfiguration("profile").getContents();
        for (String change : args[1].split(",")) {
            String[] parts = change.split("[#=]");
            Matcher event = Pattern.compile("<event name=\"" + parts[0] + "\">.*?</event>", Pattern.DOTALL).matcher(text);
            if (event.find()) {
                String settings = event.group().replaceAll("<setting name=\"" + parts[1] + "\".*?</setting>\\s*", "")
                    .replace("</event>", "  <setting name=\"" + parts[1] + "\">" + parts[2] + "</setting>\n    </event>");
                text = text.substring(0, event.start()) + settings + text.substring(event.end());
            }
        }
        Files.writeString(Path.of(args[0]), text);
    }
}
EOS

# start VERSION NAME OPTIONS SETTINGS PROGRAM...: runs the program with a recording into NAME.jfr, and its power log
start() {
    version=$1 name=$2 options=$3 settings=$4
    shift 4
    bin=$(sh "$here/jdk.sh" "$version")
    classes=classes-$version
    log=-Xlog:jfr+startup=error
    [ "$version" != 11 ] || log=-Xlog:jfr=error
    if [ ! -d "$classes" ]; then
        cp "$top/samples/shop/Shop.java" "$top/samples/requests/Requests.java" "$here/data/Small.java" .
        case $version in
            11) "$bin/javac" -d "$classes" Small.java ;;
            *) "$bin/javac" -d "$classes" Shop.java Requests.java Small.java ;;
        esac
    fi
    # shellcheck disable=SC2086 # lists of words
    quiet "$bin/java" Settings.java sample.jfc "jdk.ThreadCPULoad#period=1s$settings$(off $machine $chatty)"
    quiet "$record" -q -s estimate --idle-watts 10 --max-watts 35 -o "$name.power.log" -- \
        "$bin/java" -Xmx256m -XX:+UseG1GC "$log" -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints \
        "-XX:FlightRecorderOptions=stackdepth=1024$options" "-XX:StartFlightRecording=filename=$name.jfr,settings=sample.jfc" \
        -cp "$classes" "$@" >"$name.out"
}

keep() { # NAME FOLDER LIMIT_KB: looks for what must not be in it, and puts it into its place
    # facts of the machine, and the path of the JDK
    sed -i -e '2s/"\(host\|kernel\|cpu_model\|boot_id\)":"[^"]*",//g' -e '2s/"command":"[^"]*"/"command":"java"/' "$1.power.log"
    if grep -E '/root|/home|/work|TOKEN|KEY=' "$1.power.log"; then
        echo "record-samples.sh: $1.power.log says too much, see above" >&2
        exit 1
    fi
    if strings -n 6 "$1.jfr" | grep -E '/root|/home|/work|TOKEN|KEY=' || strings -e b -n 6 "$1.jfr" | grep -E '/root|/home|/work'; then
        echo "record-samples.sh: $1.jfr says too much, see above" >&2
        exit 1
    fi
    size=$(($(wc -c <"$1.jfr") / 1024))
    if [ "$size" -gt "$3" ]; then
        echo "record-samples.sh: $1.jfr has $size KB, more than $3" >&2
        exit 1
    fi
    mkdir -p "$top/$2"
    mv "$1.jfr" "$1.power.log" "$top/$2/"
    echo "$2/$1.jfr: $size KB, $(grep -c '^cycle,' "$top/$2/$1.power.log") cycles"
}

pid_of() { # NAME: of the JVM that writes NAME, once it does
    until grep -q '^#{.*"pid":' "$1.power.log" 2>/dev/null; do
        sleep 0.1
    done
    sed -n '2s/.*"pid":\([0-9]*\).*/\1/p' "$1.power.log"
}

cpu_time=",jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=10ms"
only_cpu_time="$cpu_time,jdk.ExecutionSample#enabled=false,jdk.NativeMethodSample#enabled=false"
shop=com.example.shop.Shop
[ $# -gt 0 ] || set -- shop-jdk17 shop-jdk25 shop-jdk25-virtual requests-jdk25 \
    shop-jdk11 shop-jdk21 jdk25-lost jdk17-chunks jdk25-killed
for name; do
    case $name in
        shop-jdk17)
            start 17 "$name" "" "" $shop --seconds 30
            keep "$name" samples 1024 ;;
        shop-jdk25)
            start 25 "$name" "" "$only_cpu_time" $shop --seconds 30
            keep "$name" samples 1024 ;;
        shop-jdk25-virtual)
            start 25 "$name" "" "$only_cpu_time" $shop --seconds 30 --virtual
            keep "$name" samples 1024 ;;
        requests-jdk25) # both kinds of samples
            start 25 "$name" "" "$cpu_time" Requests --seconds 20
            keep "$name" samples 1024 ;;
        shop-jdk11) # Shop.java needs 17
            start 11 "$name" "" "" Small 6
            keep "$name" tests/data 250 ;;
        shop-jdk21) # virtual threads, seen by execution samples
            start 21 "$name" "" "" $shop --seconds 6 --virtual
            keep "$name" tests/data 250 ;;
        jdk25-lost) # samples of a thread that is inside the JVM, allocating, are lost
            start 25 "$name" "" "$only_cpu_time" Small 5 large
            keep "$name" tests/data 250 ;;
        jdk17-chunks) # each dump ends a chunk; a chunk's metadata alone takes 96 KB
            start 17 "$name" "" ",jdk.BooleanFlag#enabled=false" Small 6 &
            pid=$(pid_of "$name")
            for _ in 1 2; do
                sleep 2
                quiet "$(sh "$here/jdk.sh" 17)/jcmd" "$pid" JFR.dump filename="$work/dump.jfr" >/dev/null
            done
            wait
            keep "$name" tests/data 400 ;;
        jdk25-killed) # the unfinished chunk in the repository of a JVM that was killed
            mkdir repository
            start 25 "$name" ",repository=repository" "$cpu_time" Small 60 &
            pid=$(pid_of "$name")
            sleep 5.4
            kill -KILL "$pid"
            wait
            mv repository/*/*.jfr "$name.jfr"
            keep "$name" tests/data 250 ;;
        *)
            echo "record-samples.sh: no sample is called $name" >&2
            exit 2 ;;
    esac
done
