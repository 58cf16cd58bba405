# Functions of the scripts that carry out the box's requests, sourced by each. The protocol: box/src/appliance/requests.ts.
# The box's user owns the folders of requests and of uploads. An attacker who has become that user may put anything there, also a link to
# any file of this machine. So a request or an upload is read only after it was moved to where that user cannot reach it, and a bundle
# on a stick after it was copied there.
run=${GATEHOUSE_RUN:-/run/gatehouse}
data=${GATEHOUSE_DATA:-/data}
lib=${GATEHOUSE_LIB:-/usr/lib/gatehouse}
umask 022

# take KIND: sets $id to the request's id and $asked to its arguments. Ends the script if there is no request, or no valid one.
take() {
  kind=$1
  mkdir -p -m 700 "$run/taken"
  rm -rf "$run/taken/$kind"
  mv -T "$run/requests/$kind" "$run/taken/$kind" 2>/dev/null || exit 0
  is_file "$run/taken/$kind" || exit 1
  line=$(head -c 300 "$run/taken/$kind" | head -n 1)
  id=${line%% *} asked=
  case $line in *' '*) asked=${line#* } ;; esac
  case $id in '' | *[!0-9a-f]*) exit 1 ;; esac
}

# say STATE [PERCENT [VERSION [DETAIL]]]: reports the progress of the request.
say() {
  put "$kind" "{\"id\":\"$id\",\"state\":\"$1\",\"percent\":${2:-null},\"version\":\"$(plain "${3:-}")\",\"detail\":\"$(plain "${4:-}")\"}"
}

# put NAME JSON: writes a state for the box, which reads either the old or the new one as a whole.
put() {
  printf '%s\n' "$2" >"$run/state/.$1" && mv "$run/state/.$1" "$run/state/$1.json"
}

# Removes every character that could end a JSON string.
plain() { printf %s "$1" | tr -cd 'A-Za-z0-9 .,:;()_+~/=%-' | head -c 300; }

is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }
is_name() { case $1 in '' | .* | *[!A-Za-z0-9._-]*) return 1 ;; esac; }

# is_older VERSION THAN: by their parts, as numbers; 1.2.0-rc.1 comes before 1.2.0.
is_older() {
  a=$(printf %s "$1" | tr - '~') b=$(printf %s "$2" | tr - '~')
  [ "$a" != "$b" ] && [ "$(printf '%s\n%s\n' "$a" "$b" | sort -V | head -n 1)" = "$a" ]
}

# take_upload NAME TO: moves an upload to where the box's user cannot change it.
take_upload() {
  is_name "$1" || return 1
  mkdir -p -m 700 "$(dirname "$2")"
  rm -rf "$2"
  mv -T "$data/updates/$1" "$2" 2>/dev/null && is_file "$2" && chown 0:0 "$2"
}

# The largest bundle (box/src/appliance/updates.ts), and what has to stay free for the ledger, in bytes.
most=1073741824 reserve=134217728

# copy_from_stick FROM TO: copies a bundle; sets $why if it fails, and leaves nothing then.
copy_from_stick() {
  mkdir -p -m 700 "$(dirname "$2")"
  rm -rf "$2"
  size=$(stat -c %s "$1") || size=0
  why='gatehouse: too large'
  [ "$size" -le $most ] || return 1
  why='gatehouse: no room'
  [ "$(df --output=avail -B1 "$(dirname "$2")" | tail -n 1)" -gt $((size + reserve)) ] || return 1
  why='gatehouse: no stick'
  # No more than was promised, whatever the stick gives.
  head -c "$size" "$1" >"$2" && [ "$(stat -c %s "$2")" -eq "$size" ] && return 0
  rm -f "$2"
  return 1
}

# mount_stick FOLDER ro|rw: mounts the stick that was plugged in last, so that no program on it can run.
mount_stick() {
  device=$(cat "$run/usb-device" 2>/dev/null) && is_name "$device" || return 1
  mkdir -p -m 700 "$1"
  mount -o "$2,nosuid,nodev,noexec" "/dev/$device" "$1"
}
