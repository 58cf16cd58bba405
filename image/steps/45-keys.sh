# What updates and images are signed with. A release's keys are brought along (GATEHOUSE_IMAGE_KEYS); a build without them makes its
# own once, and says so: its images take updates of this machine's builds, and of nobody else's.
keys=${GATEHOUSE_IMAGE_KEYS:-$cache/keys}
if [ ! -e "$keys/updates.key" ]; then
  say "No signing keys in $keys: making keys for this machine's builds alone."
  mkdir -p "$keys"
  chmod 700 "$keys"
  (umask 077 && cd "$keys" &&
    openssl ecparam -name prime256v1 -genkey -noout -out updates.key &&
    openssl req -new -x509 -key updates.key -out updates.crt -days 7300 -subj '/CN=Gatehouse updates' -addext 'keyUsage=critical,digitalSignature' -addext 'extendedKeyUsage=codeSigning,emailProtection' 2>/dev/null)
fi
if [ ! -e "$keys/image.key" ]; then
  in_tools sh -c 'mkdir -p "$1" && minisign -G -W -f -p "$1/image.pub" -s "$1/image.key" >/dev/null' sh "$cache/keys.new"
  mv "$cache"/keys.new/image.* "$keys/"
fi
