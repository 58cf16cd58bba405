/**
 * Wi-Fi without a radio: the kernel's mac80211_hwsim gives the board two, wlan0 and wlan1, that hear each other. The second goes into
 * a network name space of its own, and stands for what is at the other end: a phone, or the hall's access point.
 */
import type { Board } from './board.ts'
import type { SshKey } from './card.ts'

const NETWORK = { ssid: 'Gate North', password: 'at least 8 characters' }

export const CLIENT_SECTION = section('mode = "client"')
export const ACCESS_POINT_SECTION = section('mode = "access-point"', 'channel = 11', 'address = "10.88.0.1/24"')

const RADIOS = `modprobe mac80211_hwsim radios=2
  until [ -e /sys/class/net/wlan1 ]; do sleep 0.2; done
  ip netns add there
  iw phy "$(cat /sys/class/net/wlan1/phy80211/name)" set netns name there
  ip netns exec there ip link set lo up`

/** The hall's access point appears, with addresses for whoever joins. @returns the address that the box got from it */
export async function hallAppears(board: Board, key: SshKey): Promise<string> {
  const lines = [
    ...['interface=wlan1', 'driver=nl80211', `ssid=${NETWORK.ssid}`, 'hw_mode=g', 'channel=6', 'country_code=PT'],
    ...['wpa=2', 'wpa_key_mgmt=WPA-PSK', 'rsn_pairwise=CCMP', `wpa_passphrase=${NETWORK.password}`],
  ]
  await board.ssh(
    key,
    `set -e
    ${RADIOS}
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

/** A phone joins the gate's own network. @param busybox a static one, for its DHCP client. @returns what it was given, and what it reaches */
export async function phoneJoins(board: Board, key: SshKey, busybox: string): Promise<string> {
  await board.ssh(key, 'cat >/tmp/busybox && chmod +x /tmp/busybox', busybox)
  return board.ssh(
    key,
    `set -e
    ${RADIOS}
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
    in_there /tmp/busybox nslookup harbour.local 10.88.0.1 | tail -n +3
    in_there chronyd -Q -t 60 'server 10.88.0.1 iburst' 2>&1 | tail -n 2`,
  )
}

function section(...more: readonly string[]): string {
  const { ssid, password } = NETWORK
  return ['[wifi]', `ssid = "${ssid}"`, `password = "${password}"`, 'country = "PT"', ...more, ''].join('\n')
}
