# The keys that sign updates and lists. A release gets its keys by GATEHOUSE_IMAGE_KEYS; a build without them makes its
# own once, and prints that: its images accept only updates that were built on this machine.
if [ ! -e "$keys/updates.key" ]; then
  say "No signing keys in $keys: making keys for this machine's builds alone."
  chmod 700 "$keys"
  (umask 077 && in_tools sh -ec 'cd "$1" &&
    openssl ecparam -name prime256v1 -genkey -noout -out updates.key &&
    openssl req -new -x509 -key updates.key -out updates.crt -days 7300 -subj "/CN=Gatehouse updates" \
      -addext keyUsage=critical,digitalSignature -addext extendedKeyUsage=codeSigning,emailProtection' sh "$keys" 2>/dev/null)
fi
if [ ! -e "$keys/image.key" ]; then
  in_tools minisign -G -W -p "$keys/image.pub" -s "$keys/image.key" >/dev/null
fi
