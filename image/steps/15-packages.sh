# Fetches Debian's present lists of arm64 packages, with a separate apt that does not use this machine's packages.
apt_dir=$work/apt
mkdir -p "$apt_dir"/{lists/partial,archives/partial,state}
: >"$apt_dir/state/status"
cat >"$apt_dir/sources.list" <<SOURCES
deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main non-free-firmware
deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite-updates main non-free-firmware
deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $security $suite-security main non-free-firmware
SOURCES
cat >"$apt_dir/apt.conf" <<CONF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
Dir::State "$apt_dir/state";
Dir::State::status "$apt_dir/state/status";
Dir::State::lists "$apt_dir/lists";
Dir::Cache "$apt_dir";
Dir::Etc::sourcelist "$apt_dir/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Sandbox::User "root";
CONF
of_debian() { APT_CONFIG=$apt_dir/apt.conf "$@"; }
lists_are_fresh=yes
of_debian apt-get update -qq -o APT::Update::Error-Mode=any || {
  lists_are_fresh=
  say "Debian's lists cannot be fetched: this build takes what an earlier one has left."
}
