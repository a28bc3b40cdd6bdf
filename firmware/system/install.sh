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
KEEP_COPIES=5

HERE=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
SOURCE=$(cd "$HERE/../.." && pwd)
DEED=install
KIOSK=no
PURGE=no
START=yes

usage() {
    cat <<END
usage: sudo firmware/system/install.sh [--kiosk] [--no-start]    install, or update what is installed
       sudo firmware/system/install.sh --uninstall [--purge]     remove it; --purge also deletes matches and settings

  --kiosk      also show the page on a screen connected to the Pi (installs cage and chromium)
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
    local wanted=(ca-certificates python3 python3-venv) missing=() name
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
    install -d -o "$NAME" -g "$NAME" -m 0750 "$DATA"
}

copy_log() {
    local log=$DATA/matches.sqlite copies=$DATA/copies
    [[ -f $log ]] || return 0
    install -d -o "$NAME" -g "$NAME" -m 0750 "$copies"
    local copy
    copy=$copies/matches-$(date -u +%Y%m%dT%H%M%SZ).sqlite
    # SQLite's own copy is whole even while a match is being written. The newest few are kept.
    python3 - "$log" "$copy" <<'END'
import sqlite3, sys
source, target = (sqlite3.connect(path) for path in sys.argv[1:])
source.backup(target)
target.close()
source.close()
END
    chown "$NAME:$NAME" "$copy"
    find "$copies" -name 'matches-*.sqlite' | sort -r | tail -n +$((KEEP_COPIES + 1)) | xargs -r rm --
    say "matches backed up to $copy"
}

# ------------------------------------------------------------------ the program

system_numpy() {
    /usr/bin/python3 -c 'import numpy; print(numpy.__version__)' 2>/dev/null || true
}

fingerprint() {
    {
        (cd "$SOURCE" && find "${PARTS[@]}" -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum)
        /usr/bin/python3 --version
        system_numpy
        dpkg --print-architecture
    } | sha256sum | cut -c1-12
}

install_program() {
    PARTS=(pyproject.toml constraints.txt README.md)
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
    # The old program runs until the new one is whole: one rename changes over.
    ln -sfn "$release" "$PROGRAM/current.new"
    mv -T "$PROGRAM/current.new" "$PROGRAM/current"
    install_command
    # Older releases go, but for the one before, to go back to.
    find "$PROGRAM/releases" -mindepth 1 -maxdepth 1 -printf '%T@ %p\n' | sort -rn | cut -d' ' -f2- |
        { grep -vxF "$release" || true; } | tail -n +$KEEP_RELEASES | xargs -r rm -rf --
}

build_release() {
    local release=$1 numpy scratch
    scratch=$(mktemp -d)
    # shellcheck disable=SC2064 # the folders of now
    trap "rm -rf '$scratch' '$release'" EXIT
    say "installing the program in $release (takes a few minutes on a Pi)"
    rm -rf "$release"
    install -d "$PROGRAM/releases"
    /usr/bin/python3 -m venv --system-site-packages "$release"
    # A copy is built from, so that nothing of root's is left in your folder.
    tar -C "$SOURCE" --exclude=__pycache__ -cf - "${PARTS[@]}" | tar -C "$scratch" -xf -
    numpy=$(system_numpy)
    if [[ -n $numpy ]]; then
        # picamera2's own parts are compiled for the system's numpy: another one beside it breaks them.
        grep -vE '^(numpy|opencv-python-headless)==' "$SOURCE/constraints.txt" >"$scratch/pins.txt"
        echo "numpy==$numpy" >>"$scratch/pins.txt"
    else
        cp "$SOURCE/constraints.txt" "$scratch/pins.txt"
    fi
    "$release/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir --prefer-binary \
        --constraint "$scratch/pins.txt" "$scratch"
    try_release "$release"
    "$release/bin/python" -m pip freeze --local >"$release/complete"
    rm -rf "$scratch"
    trap - EXIT
}

# Nothing is changed over to a program that does not start.
try_release() {
    local python=$1/bin/python
    "$1/bin/magister" rules --help >/dev/null || stop "the new program does not run; the old one stays"
    "$python" -c 'import cv2, numpy' || stop "the new program's OpenCV does not run; the old one stays"
    if is_installed python3-picamera2; then
        "$python" -c 'import picamera2' || stop "picamera2 does not run with the new program; keeping the old one"
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
    place_setting "$HERE/run.env" "$SETTINGS/run.env"
}

install_units() {
    local unit
    for unit in magister.service magister-poweroff.service magister-poweroff.path; do
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
    local services=(magister.service magister-poweroff.path)
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

install_all() {
    install_packages
    make_user
    copy_log
    install_program
    install_settings
    install_units
    start_services
    say "done. Next: magister doctor"
}

# ------------------------------------------------------------------ removal

uninstall_all() {
    local unit
    for unit in magister-kiosk.service magister-poweroff.path magister.service magister-poweroff.service; do
        [[ -f $UNITS/$unit ]] || continue
        if systemd_runs; then systemctl stop "$unit" || true; fi
        systemctl disable --quiet "$unit" 2>/dev/null || true
        rm -f "${UNITS:?}/$unit"
    done
    rm -f "$JOURNAL" "$COMMAND"
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
    check_machine
    "${DEED}_all"
}

main "$@"
