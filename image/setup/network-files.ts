/** The files of systemd-networkd, wpa_supplicant, hostapd and dnsmasq for a network. Pure. */
import { file, type PlannedFile } from './planned-file.ts'
import type { Wifi, Wired } from './settings.ts'

const WIFI_NETWORK = '/etc/systemd/network/20-wifi.network'

/** The lines of a `.network` file. */
export function wiredNetwork({ address, gateway, dns }: Wired): string[] {
  return [
    '[Match]',
    'Type=ether',
    '[Network]',
    `Address=${address}`,
    'IPv6AcceptRA=yes',
    ...(gateway ? [`Gateway=${gateway}`] : []),
    ...dns.map((server) => `DNS=${server}`),
  ]
}

export function wifiClient({ country, ssid, password }: Extract<Wifi, { mode: 'client' }>): PlannedFile[] {
  const key = password === undefined ? 'key_mgmt=NONE' : `psk=${quoted(password)}`
  return [
    file(
      '/run/gatehouse/wifi/client.conf',
      [`country=${country}`, 'update_config=0', 'network={', `  ssid=${hex(ssid)}`, `  ${key}`, '}'],
      0o600,
    ),
    file(WIFI_NETWORK, ['[Match]', 'Name=wlan0', '[Network]', 'DHCP=yes', '[DHCPv4]', 'RouteMetric=600']),
  ]
}

/**
 * @param name the box's, which phones ask for as `<name>.local`
 * @param publicName the name of its certificate: DNS of the internet is not there to answer it
 */
export function accessPoint(
  wifi: Extract<Wifi, { mode: 'access-point' }>,
  name: string,
  publicName: string | undefined,
): PlannedFile[] {
  const [address = ''] = wifi.address.split('/')
  const hostapd = [
    'interface=wlan0',
    'driver=nl80211',
    `ssid2=${hex(wifi.ssid)}`,
    'utf8_ssid=1',
    `country_code=${wifi.country}`,
    'ieee80211d=1',
    'hw_mode=g',
    `channel=${wifi.channel}`,
    'ieee80211n=1',
    'wmm_enabled=1',
    'auth_algs=1',
    'wpa=2',
    'wpa_key_mgmt=WPA-PSK',
    'rsn_pairwise=CCMP',
    `wpa_passphrase=${wifi.password}`,
    // Phones reach the box and not each other, because one of them may be a stranger's.
    'ap_isolate=1',
  ]
  const network = ['[Match]', 'Name=wlan0', '[Network]', `Address=${wifi.address}`, 'ConfigureWithoutCarrier=yes']
  const dnsmasq = [
    'interface=wlan0',
    'bind-dynamic',
    'no-resolv',
    'no-hosts',
    `dhcp-range=${range(address)},12h`,
    // The names of the box lead to the box. There is no network behind it, so no other name is answered.
    `address=/${name}.local/${address}`,
    `address=/gatehouse.box/${address}`,
    // This name and none below it: the rest of the domain is not the box's.
    ...(publicName === undefined ? [] : [`host-record=${publicName},${address}`]),
    `dhcp-option=option:ntp-server,${address}`,
    `dhcp-option=option:dns-server,${address}`,
    'dhcp-authoritative',
    'leasefile-ro',
  ]
  return [
    file('/run/gatehouse/wifi/access-point.conf', hostapd, 0o600),
    file(WIFI_NETWORK, network),
    file('/run/gatehouse/wifi/dnsmasq.conf', dnsmasq),
  ]
}

/** Addresses for 201 phones in the /24 of the access point. */
function range(address: string): string {
  const network = address.split('.').slice(0, 3).join('.')
  return `${network}.20,${network}.220`
}

/** The name of a network is bytes; in hexadecimal, none of them can end a line or a quotation. */
function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

/** In quotation marks; wpa_supplicant reads up to the last one of the line, so a passphrase may contain others. */
function quoted(passphrase: string): string {
  return `"${passphrase}"`
}
