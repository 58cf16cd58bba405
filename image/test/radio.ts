/**
 * Wi-Fi without a radio: the kernel's mac80211_hwsim gives the board some that hear each other. wlan0 is the box's; each of the others
 * goes into a network name space of its own, and stands for what is at the other end: a phone, or the hall's access point.
 */
import type { Board } from './board.ts'
import type { SshKey } from './card.ts'

const NETWORK = { ssid: 'Gate North', password: 'at least 8 characters' }

export const CLIENT_SECTION = section('mode = "client"')
export const ACCESS_POINT_SECTION = section('mode = "access-point"', 'channel = 11', 'address = "10.88.0.1/24"')

/** Shell lines: a radio for the box, wlan0, and wlan1, wlan2 and so on in these name spaces. */
function radios(...spaces: readonly string[]): string {
  const others = spaces.map((space, i) => [space, `wlan${i + 1}`])
  return [
    `modprobe mac80211_hwsim radios=${spaces.length + 1}`,
    ...others.flatMap(([space, radio]) => [
      `until [ -e /sys/class/net/${radio} ]; do sleep 0.2; done`,
      `ip netns add ${space}`,
      `iw phy "$(cat /sys/class/net/${radio}/phy80211/name)" set netns name ${space}`,
      `ip netns exec ${space} ip link set lo up`,
    ]),
  ].join('\n')
}

/** Starts the hall's access point, with addresses for its clients. @returns the box's address */
export async function hallAppears(board: Board, key: SshKey): Promise<string> {
  const lines = [
    ...['interface=wlan1', 'driver=nl80211', `ssid=${NETWORK.ssid}`, 'hw_mode=g', 'channel=6', 'country_code=PT'],
    ...['wpa=2', 'wpa_key_mgmt=WPA-PSK', 'rsn_pairwise=CCMP', `wpa_passphrase=${NETWORK.password}`],
  ]
  await board.ssh(
    key,
    `set -e
    ${radios('there')}
    printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} >/tmp/hall.conf
    ip netns exec there hostapd -B /tmp/hall.conf >&2
    ip netns exec there ip addr add 10.99.0.1/24 dev wlan1
    ip netns exec there dnsmasq --conf-file=/dev/null --port=0 --interface=wlan1 --dhcp-range=10.99.0.20,10.99.0.30 --leasefile-ro`,
  )
  const address = await board.ssh(
    key,
    `for i in $(seq 120); do ip -4 -o addr show dev wlan0 | grep -o '10\\.99\\.0\\.[0-9]*/' && break; sleep 1; done; true`,
  )
  return address.replace(/\/\s*$/, '')
}

/**
 * A phone joins the gate's own network; then another one, which tries to reach it.
 * @param busybox a static one, for its DHCP client
 * @param names that the first one asks the box for, and opens
 * @returns what the first was given and what it reaches; `name`, what the box answers for each name, or `-`, and how the box behind it
 *   is; then `box`, how many of the box's packets reach it, and `other`, how many packets of the second phone
 */
export async function phonesJoin(
  board: Board,
  key: SshKey,
  { busybox, names }: { busybox: string; names: readonly string[] },
): Promise<string> {
  await board.ssh(key, 'cat >/tmp/busybox && chmod +x /tmp/busybox', busybox)
  return board.ssh(
    key,
    `set -e
    ${radios('there', 'beside')}
    cat >/tmp/phone.conf <<END
network={
  ssid="${NETWORK.ssid}"
  psk="${NETWORK.password}"
}
END
    cat >/tmp/lease <<'END'
#!/bin/sh
[ "$1" = bound ] || exit 0
echo "lease $ip $dns $ntpsrv"
ip addr add "$ip/24" dev "$interface"
END
    chmod +x /tmp/lease
    in_there() { ip netns exec there "$@"; }
    in_there wpa_supplicant -B -i wlan1 -c /tmp/phone.conf >&2
    in_there /tmp/busybox udhcpc -q -n -t 60 -T 2 -O ntpsrv -i wlan1 -s /tmp/lease 2>/dev/null
    in_there curl -s http://10.88.0.1/healthz; echo
    # A phone asks the server that it was given, and no other.
    mkdir -p /etc/netns/there && echo 'nameserver 10.88.0.1' >/etc/netns/there/resolv.conf
    for name in ${names.join(' ')}; do
      found=$(in_there /tmp/busybox nslookup "$name" 10.88.0.1 2>/dev/null | tail -n +3 | grep -o '[0-9.]*$' | grep . || echo -)
      echo "name $name" $found "$(in_there curl -s -m 60 "http://$name/healthz" || echo nowhere)"
    done
    in_there chronyd -Q -t 60 'server 10.88.0.1 iburst' 2>&1 | tail -n 2
    ${NEIGHBOUR}`,
  )
}

/**
 * The second phone has an address that it chose itself, and knows the first one's radio already: it sends straight to it, and then by
 * way of the box. What arrives is counted where the first one receives.
 */
const NEIGHBOUR = `in_beside() { ip netns exec beside "$@"; }
    in_beside wpa_supplicant -B -i wlan2 -c /tmp/phone.conf >&2
    in_beside ip addr add 10.88.0.9/24 dev wlan2
    # On the network, as soon as the box answers.
    in_beside /tmp/busybox timeout 120 /tmp/busybox sh -c 'until /tmp/busybox ping -c 1 -W 2 10.88.0.1; do :; done' >&2
    phone=$(in_there ip -4 -o addr show dev wlan1 | grep -o '10\\.88\\.0\\.[0-9]*/' | tr -d /)
    in_there nft -f - <<END
table netdev heard {
  counter box { }
  counter other { }
  chain ingress {
    type filter hook ingress device "wlan1" priority 0;
    ip saddr 10.88.0.1 counter name box
    ether saddr $(in_beside cat /sys/class/net/wlan2/address) counter name other
    ip saddr 10.88.0.9 counter name other
  }
}
END
    in_beside ip neigh replace "$phone" lladdr "$(in_there cat /sys/class/net/wlan1/address)" dev wlan2
    in_beside /tmp/busybox ping -c 3 -W 2 "$phone" >&2 || true
    in_beside /tmp/busybox ping -c 3 -W 2 10.88.0.255 >&2 || true
    in_beside ip route add "$phone/32" via 10.88.0.1
    in_beside /tmp/busybox ping -c 3 -W 2 "$phone" >&2 || true
    /tmp/busybox ping -c 3 -W 10 "$phone" >&2
    for name in box other; do
      echo "$name $(in_there nft list counter netdev heard "$name" | grep -o 'packets [0-9]*')"
    done`

function section(...more: readonly string[]): string {
  const { ssid, password } = NETWORK
  return ['[wifi]', `ssid = "${ssid}"`, `password = "${password}"`, 'country = "PT"', ...more, ''].join('\n')
}
