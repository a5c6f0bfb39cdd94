#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# jdk.sh VERSION: makes JDK 11, 17, 21 or 25 runnable here and prints the folder of its java and javac.
#
# JDK 17 is Debian 12's own package. The others need another Debian release (11 for JDK 11, 13 for JDK 21 and 25), and with it
# another libc: they are installed into a folder by debootstrap, and the java printed is a wrapper that enters that folder in a
# mount namespace of its own, where the working folder, /tmp and all that no system has have the same paths as outside. It runs by exec alone, so its
# process id is the JVM's, and it leaves no mount behind.
#
# Exit 77 (skip) with a reason on stderr where that cannot be done. Folders are kept in $JOULAR_JDK_CACHE for the next time.
set -eu

version=${1:?usage: jdk.sh 11|17|21|25}
cache=${JOULAR_JDK_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/joular-jfr/jdk}

skip() {
    echo "jdk.sh: JDK $version skipped: $*" >&2
    exit 77
}

case $version in
    11) suite=bullseye ;;
    17) suite= ;;
    21 | 25) suite=trixie ;;
    *) skip "only 11, 17, 21 and 25 are known" ;;
esac

# A JDK of the machine itself is good enough, whatever its place.
for home in "${JAVA_HOME:-}" "/usr/lib/jvm/java-$version-openjdk-$(dpkg --print-architecture 2>/dev/null || echo amd64)"; do
    if [ -n "$home" ] && [ -x "$home/bin/javac" ] && grep -q "^JAVA_VERSION=\"${version}[.\"]" "$home/release" 2>/dev/null; then
        echo "$home/bin"
        exit 0
    fi
done

[ -z "${JOULAR_QUICK:-}" ] || skip "not on this machine, and with JOULAR_QUICK nothing is installed"
[ "$(id -u)" = 0 ] || skip "not on this machine, and installing it needs root"
command -v apt-get >/dev/null || skip "not on this machine, and there is no apt-get"
if [ -z "$suite" ]; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "openjdk-$version-jdk-headless" >&2 || skip "apt-get failed"
    echo "/usr/lib/jvm/java-$version-openjdk-$(dpkg --print-architecture)/bin"
    exit 0
fi

root=$cache/$suite
arch=$(dpkg --print-architecture)
wrappers=$cache/jdk-$version/bin
home=/usr/lib/jvm/java-$version-openjdk-$arch
mkdir -p "$cache"
exec 9>"$cache/$suite.lock"
flock 9

if [ ! -e "$root/.ready" ]; then
    command -v debootstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq debootstrap >&2 || skip "no debootstrap"
    rm -rf "$root"
    debootstrap --variant=minbase "$suite" "$root" >"$cache/$suite.log" 2>&1 || skip "debootstrap $suite failed, see $cache/$suite.log"
    touch "$root/.ready"
fi

inside() { # COMMAND...: as root of the folder, with /proc and /dev
    unshare -m sh -c '
        set -e
        root=$1
        shift
        mount --make-rprivate /
        mount --rbind /proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" "$@"' inside "$root" "$@"
}

if [ ! -x "$root$home/bin/javac" ]; then
    inside sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-$version-jdk-headless" \
        >"$cache/jdk-$version.log" 2>&1 || skip "installing it failed, see $cache/jdk-$version.log"
fi

mkdir -p "$wrappers"
for tool in java javac jcmd jfr; do
    cat >"$wrappers/$tool.new" <<EOW
#!/bin/sh
exec unshare -m /bin/sh -c '
    root=\$1 tool=\$2 here=\$PWD
    shift 2
    mount --make-rprivate / &&
    mount --rbind /proc "\$root/proc" && mount --rbind /dev "\$root/dev" || exit 125
    for folder in /*/ "\$here/"; do
        folder=\${folder%/}
        case \$folder in
            "" | / | /bin | /boot | /dev | /etc | /lib* | /proc | /run | /sbin | /sys | /usr | /var) continue ;;
        esac
        mkdir -p "\$root\$folder" && mount --rbind "\$folder" "\$root\$folder" || exit 125
    done
    exec chroot "\$root" /bin/sh -c "cd \"\\\$1\" && shift && exec \"\\\$@\"" sh "\$here" "\$tool" "\$@"' sh "$root" "$home/bin/$tool" "\$@"
EOW
    chmod +x "$wrappers/$tool.new"
    mv "$wrappers/$tool.new" "$wrappers/$tool"
done
echo "$wrappers"
