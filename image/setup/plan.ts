/** What the settings mean on this machine: the files that they become. Pure. */

import { iso } from '../../box/src/clock/iso.ts'
import { type MeshInvite, readInviteText } from '../../box/src/mesh/join/invite.ts'
import type { Problem, Settings } from './settings.ts'

export interface PlannedFile {
  path: string
  text: string
  /** 0o600 for what holds a password. */
  mode: number
}

export interface Machine {
  /** Where the event folder ended up, and which event it is; undefined: the demo event. */
  event: { folder: string; id: string } | undefined
  /** Files that are on the boot partition, by name. */
  files: ReadonlySet<string>
  /** Why the organiser's certificate cannot be used; undefined: it can, or there is none. */
  certificateProblem: string | undefined
  /** Events of which this box has a ledger. */
  ledgers: ReadonlySet<string>
  /** Unix ms, by a clock that may be behind. */
  now: number
}

export interface Plan {
  planned: PlannedFile[]
  problems: Problem[]
  /** Where the box keeps ledger, keys and token. */
  dataDir: string
  /** They come from another box, at the first start. */
  joins: boolean
}

/** Everything is written at each start, below a root that forgets it: nothing of an older file is ever left. */
export function plan(settings: Settings, machine: Machine): Plan {
  const { event, files } = machine
  const problems: Problem[] = []
  const planned: PlannedFile[] = []
  const write = (path: string, lines: readonly string[], mode = 0o644) =>
    planned.push({ path, text: `${lines.join('\n')}\n`, mode })

  const invite = usableInvite()
  const dataDir = `/data/box/${event?.id ?? invite?.eventId ?? 'demo'}`
  write('/etc/hostname', [settings.name])
  write('/etc/hosts', ['127.0.0.1 localhost', `127.0.1.1 ${settings.name}`, '::1 localhost ip6-localhost'])
  write('/run/gatehouse/box.env', environment())
  if (settings.wired) write('/etc/systemd/network/05-wired.network', wiredNetwork(settings.wired))
  if (settings.timeServers.length > 0)
    write(
      '/run/gatehouse/chrony.d/servers.conf',
      settings.timeServers.map((server) => `server ${server} iburst prefer`),
    )
  wifiFiles()
  if (files.has('authorized_keys')) {
    write('/run/gatehouse/ssh/wanted', ['a key is on the boot partition'])
    write('/run/gatehouse/nftables.d/ssh.nft', ['add rule inet gatehouse input tcp dport 22 accept'])
  }
  return { planned, problems, dataDir, joins: invite !== undefined }

  function usableInvite(): MeshInvite | undefined {
    if (settings.meshInvite === undefined) return undefined
    const read = readInviteText(settings.meshInvite)
    const wrong = (message: string) => void problems.push({ where: 'mesh.invite', message })
    if (!read) wrong('is not the invite as the other box printed it: it begins with gatehouse-mesh:https://')
    else if (read.as === 'voter') wrong('is for a machine that only votes: mint one for a box')
    else if (event && event.id !== read.eventId)
      wrong(`is for the event ${read.eventId}, and box.event is ${event.id}: leave out one of them`)
    else {
      // It is used all the same: the other box decides, by its own clock. One that was used stays in the file, and runs out.
      if (read.expiresAt <= machine.now && !machine.ledgers.has(read.eventId))
        wrong(
          `expired at ${iso(read.expiresAt).slice(0, 16).replace('T', ' ')} UTC: mint another one at the other box. Until then, this box waits`,
        )
      return read
    }
    return undefined
  }

  function environment(): string[] {
    const { publicHost, walletOverHttp, tls, hq, wifi } = settings
    const env: Record<string, string> = {
      GATEHOUSE_DATA_DIR: dataDir,
      ...(event && { GATEHOUSE_EVENT_DIR: event.folder }),
      // The event comes with the invite, to where the box may write.
      ...(!event && invite && { GATEHOUSE_EVENT_DIR: `/data/box/${invite.eventId}-event` }),
      ...(invite && { GATEHOUSE_MESH_INVITE: settings.meshInvite ?? '' }),
      GATEHOUSE_HTTP_PORT: '80',
      GATEHOUSE_HTTPS_PORT: '443',
      GATEHOUSE_WALLET_OVER_HTTP: walletOverHttp ? '1' : '0',
      GATEHOUSE_APPLIANCE: '/run/gatehouse',
    }
    // On its own network, the access point is the one address that every phone can reach.
    const host = publicHost ?? (wifi.mode === 'access-point' ? wifi.address.split('/')[0] : undefined)
    if (host !== undefined) env.GATEHOUSE_PUBLIC_HOST = host
    if (tls && present('tls.certificate', tls.certificate) && present('tls.key', tls.key) && certificateFits()) {
      env.GATEHOUSE_TLS_CERT = '/run/gatehouse/tls/certificate.pem'
      env.GATEHOUSE_TLS_KEY = '/run/gatehouse/tls/key.pem'
    }
    if (hq && present('hq.ca', hq.ca)) {
      env.GATEHOUSE_HQ = hq.address
      env.GATEHOUSE_HQ_CA = '/run/gatehouse/hq/ca.pem'
    }
    return Object.entries(env).map(([name, value]) => `${name}=${value}`)
  }

  function certificateFits(): boolean {
    if (machine.certificateProblem === undefined) return true
    problems.push({ where: 'tls', message: `${machine.certificateProblem}. Until then, the box shows its own` })
    return false
  }

  function present(where: string, name: string): boolean {
    if (files.has(name)) return true
    problems.push({ where, message: `names ${name}, which is not a file on this partition` })
    return false
  }

  function wifiFiles(): void {
    const { wifi, name } = settings
    if (wifi.mode === 'client') {
      const key = wifi.password === undefined ? 'key_mgmt=NONE' : `psk=${quoted(wifi.password)}`
      write(
        '/run/gatehouse/wifi/client.conf',
        [`country=${wifi.country}`, 'update_config=0', 'network={', `  ssid=${hex(wifi.ssid)}`, `  ${key}`, '}'],
        0o600,
      )
      write('/etc/systemd/network/20-wifi.network', [
        '[Match]',
        'Name=wlan0',
        '[Network]',
        'DHCP=yes',
        '[DHCPv4]',
        'RouteMetric=600',
      ])
    }
    if (wifi.mode === 'access-point') {
      const [address = ''] = wifi.address.split('/')
      write(
        '/run/gatehouse/wifi/access-point.conf',
        [
          ...[
            'interface=wlan0',
            'driver=nl80211',
            `ssid2=${hex(wifi.ssid)}`,
            'utf8_ssid=1',
            `country_code=${wifi.country}`,
          ],
          ...['ieee80211d=1', 'hw_mode=g', `channel=${wifi.channel}`, 'ieee80211n=1', 'wmm_enabled=1', 'auth_algs=1'],
          ...['wpa=2', 'wpa_key_mgmt=WPA-PSK', 'rsn_pairwise=CCMP', `wpa_passphrase=${wifi.password}`],
        ],
        0o600,
      )
      write('/etc/systemd/network/20-wifi.network', [
        '[Match]',
        'Name=wlan0',
        '[Network]',
        `Address=${wifi.address}`,
        'ConfigureWithoutCarrier=yes',
      ])
      write('/run/gatehouse/wifi/dnsmasq.conf', [
        ...['interface=wlan0', 'bind-dynamic', 'no-resolv', 'no-hosts', `dhcp-range=${range(address)},12h`],
        // The box is every name that phones ask for to find it; with no other network behind it, nothing else is answered.
        ...[
          `address=/${name}.local/${address}`,
          `address=/gatehouse.box/${address}`,
          `dhcp-option=option:ntp-server,${address}`,
        ],
        ...[`dhcp-option=option:dns-server,${address}`, 'dhcp-authoritative', 'leasefile-ro'],
      ])
    }
  }
}

/** The rest of the /24 that the access point is in: 200 phones. */
function range(address: string): string {
  const network = address.split('.').slice(0, 3).join('.')
  return `${network}.20,${network}.220`
}

function wiredNetwork({ address, gateway, dns }: NonNullable<Settings['wired']>): string[] {
  return [
    ...['[Match]', 'Type=ether', '[Network]', `Address=${address}`, 'IPv6AcceptRA=yes'],
    ...(gateway ? [`Gateway=${gateway}`] : []),
    ...dns.map((server) => `DNS=${server}`),
  ]
}

/** Names of networks are bytes; written so, none of them can end a line or a quote. */
function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

/** wpa_supplicant takes everything up to the last quote of the line. */
function quoted(passphrase: string): string {
  return `"${passphrase}"`
}

/** What an operator finds beside gatehouse.toml when something in it is wrong. */
export function problemsText(problems: readonly Problem[], at: string): string {
  if (problems.length === 0) return `${at}\nNothing is wrong with gatehouse.toml.\n`
  return `${at}\nThe box is up. These lines of gatehouse.toml were not used:\n\n${problems.map(({ where, message }) => `  ${where} ${message}\n`).join('')}\nCorrect them here, then turn the box off and on.\n`
}
