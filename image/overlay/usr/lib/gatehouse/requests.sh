# What the scripts share that answer the box's requests, sourced by each. The protocol: box/src/appliance/requests.ts.
# The box's user owns the folder of requests and that of uploads: what is in them may be anything, a link to any file of this
# machine too, and is looked at only once it has been moved to where that user cannot reach it.
run=${GATEHOUSE_RUN:-/run/gatehouse}
data=${GATEHOUSE_DATA:-/data}
lib=${GATEHOUSE_LIB:-/usr/lib/gatehouse}
umask 022

# take KIND: the request's id into $id, what it asks for into $asked. Nothing to take, or nothing of this form: the script ends.
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

# say STATE [PERCENT [VERSION [DETAIL]]]: how far the request is.
say() {
  put "$kind" "{\"id\":\"$id\",\"state\":\"$1\",\"percent\":${2:-null},\"version\":\"$(plain "${3:-}")\",\"detail\":\"$(plain "${4:-}")\"}"
}

# put NAME JSON: a state that the box reads; the old one or the new one, never a part.
put() {
  printf '%s\n' "$2" >"$run/state/.$1" && mv "$run/state/.$1" "$run/state/$1.json"
}

# Nothing is left of a text that could end a string of JSON.
plain() { printf %s "$1" | tr -cd 'A-Za-z0-9 .,:;()_+~/=%-' | head -c 300; }

is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }
is_name() { case $1 in '' | .* | *[!A-Za-z0-9._-]*) return 1 ;; esac; }

# take_upload NAME TO: out of the box's hands.
take_upload() {
  is_name "$1" || return 1
  mkdir -p -m 700 "$(dirname "$2")"
  rm -rf "$2"
  mv -T "$data/updates/$1" "$2" 2>/dev/null && is_file "$2" && chown 0:0 "$2"
}

# mount_stick FOLDER ro|rw: the stick that was plugged in last. Whatever is on it, nothing of it runs here.
mount_stick() {
  device=$(cat "$run/usb-device" 2>/dev/null) && is_name "$device" || return 1
  mkdir -p -m 700 "$1"
  mount -o "$2,nosuid,nodev,noexec" "/dev/$device" "$1"
}
