#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# jdk.sh VERSION: makes JDK 11, 17, 21 or 25 runnable here and prints the folder of its java and javac.
#
# What this machine has as a package is installed. Others need another Debian release (11 for JDK 11, 12 for JDK 17, 13 for JDK 21
# and 25), and with it another libc: they are installed into a folder (folder.sh), and the java printed is a wrapper that enters that
# folder in a mount namespace of its own, where the working folder, /tmp and all that no system has have the same paths as outside. It
# runs by exec alone, so its process id is the JVM's, and it leaves no mount behind.
#
# Exit 77 (skip) with a reason on stderr where that cannot be done. Folders are kept in $JOULAR_JDK_CACHE for the next time.
set -eu

version=${1:?usage: jdk.sh 11|17|21|25}

skip() {
    echo "jdk.sh: JDK $version skipped: $*" >&2
    exit 77
}

case $version in
    11) suite=bullseye ;;
    17) suite=bookworm ;;
    21 | 25) suite=trixie ;;
    *) skip "only 11, 17, 21 and 25 are known" ;;
esac

package=openjdk-$version-jdk-headless
arch=$(dpkg --print-architecture 2>/dev/null || echo amd64)
home=/usr/lib/jvm/java-$version-openjdk-$arch

# A JDK of the machine itself is good enough, whatever its place.
print_if_there() {
    for folder in "${JAVA_HOME:-}" "$home"; do
        if [ -n "$folder" ] && [ -x "$folder/bin/javac" ] && grep -q "^JAVA_VERSION=\"${version}[.\"]" "$folder/release" 2>/dev/null; then
            echo "$folder/bin"
            exit 0
        fi
    done
}

print_if_there
[ -z "${JOULAR_QUICK:-}" ] || skip "not on this machine, and with JOULAR_QUICK nothing is installed"
[ "$(id -u)" = 0 ] || skip "not on this machine, and installing it needs root"
command -v apt-get >/dev/null || skip "not on this machine, and there is no apt-get"
. "$(dirname "$0")/folder.sh"

# There may be no lists of packages yet: then it goes by the release.
own=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME-}") || :
if [ "$suite" = "$own" ] || apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [0-9]'; then
    lock_folders "$own"
    print_if_there # another test may have been quicker
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$package" >&2 || {
        apt-get update -qq >&2 || :
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$package" >&2 || skip "apt-get install $package failed"
    }
    print_if_there
    skip "$package is installed, and $home is not there"
fi

debian_folder "$suite"
wrappers=$cache/jdk-$version/bin
if [ ! -x "$root$home/bin/javac" ]; then
    inside sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $package" \
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
