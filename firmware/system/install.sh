#!/usr/bin/env bash
# Installs, updates or removes Magister Ludi on Raspberry Pi OS or Debian (Bookworm, Trixie; 64 bit).
# Safe to run again: what is already there is kept, what you have changed is never overwritten.
set -euo pipefail

NAME=magister
PROGRAM=/opt/$NAME
SETTINGS=/etc/$NAME
DATA=/var/lib/$NAME
COMMAND=/usr/local/bin/$NAME
UNITS=/etc/systemd/system
JOURNAL=/etc/systemd/journald.conf.d/60-$NAME.conf
GROUPS_WANTED=(video render gpio spi i2c)
KEEP_RELEASES=2
KEEP_COPIES=14

HERE=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
SOURCE=$(cd "$HERE/../.." && pwd)
DEED=install
KIOSK=no
CALLED=
SERVICE=/etc/avahi/services/$NAME.service
PURGE=no
START=yes

usage() {
    cat <<END
usage: sudo firmware/system/install.sh [--kiosk] [--hostname NAME] [--no-start]    install, or update what is installed
       sudo firmware/system/install.sh --uninstall [--purge]     remove it; --purge also deletes matches and settings

  --kiosk      also show the page on a screen connected to the Pi (installs cage and chromium)
  --hostname   call this machine NAME: with magister the page is at http://magister.local:8000/
  --no-start   install, but do not start anything yet
END
}

say() { printf '%s\n' "-- $*"; }
stop() {
    printf '%s\n' "install.sh: $*" >&2
    exit "${2:-1}"
}

read_arguments() {
    while (($#)); do
        case $1 in
            --kiosk) KIOSK=yes ;;
            --no-start) START=no ;;
            --hostname)
                if [[ ! ${2:-} =~ ^[a-z][a-z0-9-]{0,62}$ ]]; then
                    printf '%s\n' "install.sh: --hostname needs a name of small letters, digits and hyphens" >&2
                    exit 2
                fi
                CALLED=$2
                shift
                ;;
            --uninstall) DEED=uninstall ;;
            --purge) PURGE=yes ;;
            -h | --help) usage && exit 0 ;;
            *) printf '%s\n' "install.sh: what is $1? (see --help)" >&2 && exit 2 ;;
        esac
        shift
    done
    if [[ $PURGE = yes && $DEED != uninstall ]]; then
        printf '%s\n' "install.sh: --purge goes with --uninstall" >&2 && exit 2
    fi
}

check_machine() {
    [[ $EUID -eq 0 ]] || stop "this needs root: sudo $0"
    command -v apt-get >/dev/null || stop "no apt-get here: this is for Raspberry Pi OS and Debian"
    [[ $DEED = uninstall ]] && return
    # Not sourced: it has a NAME of its own.
    grep -qE '^VERSION_CODENAME=(bookworm|trixie)$' /etc/os-release ||
        say "this is $(grep -m1 '^PRETTY_NAME=' /etc/os-release); tested on Bookworm and Trixie only, continuing"
    [[ $(getconf LONG_BIT) = 64 ]] || stop "this is a 32-bit system: install the 64-bit Raspberry Pi OS"
    [[ -f $SOURCE/pyproject.toml ]] || stop "run this from a complete copy of the project: $SOURCE has no pyproject.toml"
}

# In a container or a root under construction there is an init system on disk that does not run.
systemd_runs() { [[ -d /run/systemd/system ]]; }

# ------------------------------------------------------------------ system packages

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) = installed ]]; }
is_to_be_had() { apt-cache show --no-all-versions "$1" >/dev/null 2>&1; }

install_packages() {
    local wanted=(ca-certificates python3 python3-venv avahi-daemon) missing=() name
    # What only a Raspberry Pi has: its cameras and its pins. Without them a USB camera and the page still work.
    local of_the_pi=(python3-picamera2 python3-lgpio rpicam-apps-lite)
    [[ $KIOSK = yes ]] && wanted+=(cage chromium)
    for name in "${wanted[@]}" "${of_the_pi[@]}"; do
        is_installed "$name" || missing+=("$name")
    done
    if ((${#missing[@]} == 0)); then
        say "system packages: all installed"
        return
    fi
    apt-get update -q
    local to_install=()
    for name in "${missing[@]}"; do
        if is_to_be_had "$name"; then
            to_install+=("$name")
        elif [[ " ${of_the_pi[*]} " = *" $name "* ]]; then
            say "$name is not available here (no Raspberry Pi OS?): continuing without it"
        else
            stop "$name is not available: check /etc/apt/sources.list"
        fi
    done
    ((${#to_install[@]})) || return 0
    say "system packages: ${to_install[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${to_install[@]}"
}

# ------------------------------------------------------------------ user and data

make_user() {
    local group
    if ! id "$NAME" >/dev/null 2>&1; then
        say "user $NAME"
        useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin "$NAME"
    fi
    for group in "${GROUPS_WANTED[@]}"; do
        if getent group "$group" >/dev/null; then
            usermod --append --groups "$group" "$NAME"
        fi
    done
    # Its parent belongs to root, so that nobody else can put a link in its place.
    install -d -o "$NAME" -g "$NAME" -m 0750 "$DATA"
}

# As the service's own user: what root does in a folder of another user may be turned against root by a link there.
copy_log() {
    local magister=$1/bin/magister log=$DATA/matches.sqlite copy
    [[ -f $log ]] || return 0
    if copy=$(runuser -u "$NAME" -- env MAGISTER_DATA="$DATA" "$magister" backup \
        --into "$DATA/copies" --keep "$KEEP_COPIES" --config "$SETTINGS/config.toml"); then
        say "matches backed up to $copy"
    else
        say "the matches could not be backed up, as said above; they stay where they are, in $log"
    fi
}

# ------------------------------------------------------------------ the program

system_numpy() {
    /usr/bin/python3 -I -c 'import numpy; print(numpy.__version__)' 2>/dev/null || true
}

fingerprint() {
    {
        (cd "$SOURCE" && find "${PARTS[@]}" -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum)
        /usr/bin/python3 -I --version
        system_numpy
        dpkg --print-architecture
    } | sha256sum | cut -c1-12
}

install_program() {
    PARTS=(pyproject.toml README.md)
    local room
    for room in engine vision hardware firmware webui; do
        [[ -d $SOURCE/$room ]] && PARTS+=("$room")
    done
    local release
    release=$PROGRAM/releases/$(fingerprint)
    if [[ -f $release/complete ]]; then
        say "the program is up to date"
    else
        build_release "$release"
    fi
    copy_log "$release"
    # The old program runs until the new one is whole: one rename changes over.
    ln -sfn "$release" "$PROGRAM/current.new"
    mv -T "$PROGRAM/current.new" "$PROGRAM/current"
    install_command
    # Older releases go, but for the one before, to go back to.
    find "$PROGRAM/releases" -mindepth 1 -maxdepth 1 -printf '%T@ %p\n' | sort -rn | cut -d' ' -f2- |
        { grep -vxF "$release" || true; } | tail -n +$KEEP_RELEASES | xargs -r rm -rf --
}

build_release() {
    local release=$1 scratch
    scratch=$(mktemp -d)
    # shellcheck disable=SC2064 # the folders of now
    trap "rm -rf '$scratch' '$release'" EXIT
    say "installing the program in $release (takes a few minutes on a Pi)"
    rm -rf "$release"
    install -d "$PROGRAM/releases"
    /usr/bin/python3 -I -m venv --system-site-packages "$release"
    # A copy is built from, so that nothing of root's is left in your folder.
    tar -C "$SOURCE" --exclude=__pycache__ -cf - "${PARTS[@]}" | tar -C "$scratch" -xf -
    cp "$HERE/lock.txt" "$scratch/lock.txt"
    if [[ -n $(system_numpy) ]]; then
        # picamera2's own parts are compiled for the system's numpy: another one beside it breaks them. The pinned OpenCV
        # runs with both.
        awk '/^[a-z]/ { keep = !/^numpy==/ } keep' "$HERE/lock.txt" >"$scratch/lock.txt"
    fi
    # Everything from outside is pinned by its hash, what builds our own package too, and nothing else is asked for.
    "$release/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-cache-dir --prefer-binary \
        --require-hashes --no-deps --requirement "$scratch/lock.txt"
    rm "$scratch/lock.txt"
    "$release/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-cache-dir \
        --no-deps --no-build-isolation "$scratch"
    try_release "$release"
    "$release/bin/python" -I -m pip freeze --local >"$release/complete"
    rm -rf "$scratch"
    trap - EXIT
}

# Nothing is changed over to a program that does not start.
try_release() {
    local python=$1/bin/python
    "$1/bin/magister" rules --help >/dev/null || stop "the new program does not run; the old one stays"
    "$python" -I -c 'import cv2, numpy' || stop "the new program's OpenCV does not run; the old one stays"
    if is_installed python3-picamera2; then
        "$python" -I -c 'import picamera2' || stop "picamera2 does not run with the new program; keeping the old one"
    fi
}

install_command() {
    cat >"$COMMAND.new" <<END
#!/bin/sh
# Magister Ludi. The service's user keeps its matches in $DATA; everybody else in a folder of their own.
[ "\$(id -un)" = $NAME ] && export MAGISTER_DATA="\${MAGISTER_DATA:-$DATA}"
exec $PROGRAM/current/bin/magister "\$@"
END
    chmod 0755 "$COMMAND.new"
    mv "$COMMAND.new" "$COMMAND"
}

# ------------------------------------------------------------------ settings and services

# A file that a person may change: put there once, later only laid beside as .new where ours has changed.
place_setting() {
    local ours=$1 theirs=$2
    if [[ ! -e $theirs ]]; then
        install -m 0644 "$ours" "$theirs"
        say "settings: $theirs"
    elif cmp -s "$ours" "$theirs"; then
        rm -f "$theirs.new"
    else
        install -m 0644 "$ours" "$theirs.new"
        say "settings: you have changed $theirs, so it stays; the new defaults are in $theirs.new"
    fi
}

install_settings() {
    install -d "$SETTINGS"
    place_setting "$HERE/config.toml" "$SETTINGS/config.toml"
    place_setting "$(run_settings)" "$SETTINGS/run.env"
}

# On a Zero 2 W memory is given back at once, which costs some time; elsewhere there is enough of it.
run_settings() {
    local sparing=$PROGRAM/run.env
    if (($(awk '/^MemTotal:/ { print $2 }' /proc/meminfo) < 1000000)); then
        sed 's/^#\(MALLOC_\)/\1/' "$HERE/run.env" >"$sparing"
    else
        cp "$HERE/run.env" "$sparing"
    fi
    printf '%s\n' "$sparing"
}

install_units() {
    local unit
    for unit in magister.service magister-poweroff.service magister-poweroff.path \
        magister-backup.service magister-backup.timer; do
        install -m 0644 "$HERE/$unit" "$UNITS/$unit"
    done
    install -d "$(dirname "$JOURNAL")"
    install -m 0644 "$HERE/journald.conf" "$JOURNAL"
    if [[ $KIOSK = yes ]]; then
        id "$NAME-kiosk" >/dev/null 2>&1 ||
            useradd --system --user-group --create-home --home-dir "/var/lib/$NAME-kiosk" "$NAME-kiosk"
        for unit in video render input; do
            if getent group "$unit" >/dev/null; then usermod --append --groups "$unit" "$NAME-kiosk"; fi
        done
        install -m 0644 "$HERE/magister-kiosk.service" "$UNITS/magister-kiosk.service"
    fi
}

start_services() {
    local services=(magister.service magister-poweroff.path magister-backup.timer)
    [[ -f $UNITS/magister-kiosk.service ]] && services+=(magister-kiosk.service)
    # Works on a system that does not run, too: it only makes links.
    systemctl enable --quiet "${services[@]}"
    if ! systemd_runs; then
        say "systemd is not running: everything starts at the next boot"
    elif [[ $START = no ]]; then
        systemctl daemon-reload
        say "start it with: sudo systemctl start magister"
    else
        systemctl daemon-reload
        systemctl restart systemd-journald "${services[@]}"
        say "it is running; to follow its messages: journalctl -fu magister"
    fi
}

# The page is found on the home network by name (mDNS), and listed there as a web page.
announce_page() {
    install -d /etc/avahi/services
    install -m 0644 "$HERE/magister-page.xml" "$SERVICE"
    local before
    before=$(cat /etc/hostname 2>/dev/null || true)
    if [[ -n $CALLED && $CALLED != "$before" ]]; then
        printf '%s\n' "$CALLED" >/etc/hostname
        printf '127.0.1.1\t%s\n' "$CALLED" >>/etc/hosts
        if systemd_runs; then hostnamectl set-hostname "$CALLED"; fi
        say "this machine is called $CALLED: http://$CALLED.local:8000/"
    fi
    if systemd_runs; then systemctl try-restart avahi-daemon || true; fi
}

install_all() {
    install_packages
    make_user
    install_program
    install_settings
    install_units
    announce_page
    start_services
    say "done. Next: magister doctor"
}

# ------------------------------------------------------------------ removal

uninstall_all() {
    local unit
    for unit in magister-kiosk.service magister-backup.timer magister-backup.service magister-poweroff.path \
        magister.service magister-poweroff.service; do
        [[ -f $UNITS/$unit ]] || continue
        if systemd_runs; then systemctl stop "$unit" || true; fi
        systemctl disable --quiet "$unit" 2>/dev/null || true
        rm -f "${UNITS:?}/$unit"
    done
    rm -f "$JOURNAL" "$COMMAND" "$SERVICE"
    rm -rf "$PROGRAM"
    if systemd_runs; then systemctl daemon-reload && systemctl restart systemd-journald; fi
    if [[ $PURGE = yes ]]; then
        rm -rf "$DATA" "$SETTINGS" "/var/lib/$NAME-kiosk"
        for unit in "$NAME" "$NAME-kiosk"; do
            if id "$unit" >/dev/null 2>&1; then userdel "$unit"; fi
        done
        say "the program, its settings and all matches have been removed; system packages are kept"
    else
        say "the program has been removed. Kept: $DATA (matches), $SETTINGS (settings), the user $NAME, system packages."
        say "to remove those too: $0 --uninstall --purge"
    fi
}

main() {
    read_arguments "$@"
    # Programs that root runs from here on find nothing of the caller's folder.
    cd /
    check_machine
    "${DEED}_all"
}

main "$@"
