/** Writes the fuzzer's configuration: which port it asks, with which credential, and values that exist at the box. Pure. */

/** Lists of values that exist, by name. */
export type Known = Readonly<Record<string, readonly string[]>>

export interface Target {
  /** Base URL of a listener. */
  url: string
  /** The tier of the document to ask for. */
  tier: string
  /** Bearer token; undefined where none is sent. */
  token?: string | undefined
  /** PEM files. */
  ca?: string | undefined
  certificate?: { file: string; key: string } | undefined
}

/** Share of fields with a value that exists: else every request would end at "there is no such ticket". */
const OFTEN = 0.7

/** For which fields of which operations the box has values; the names are those of `Known`. */
export const BINDINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  enroll: { 'body.invite': 'invites', 'body.csr': 'requests' },
  ticket: { 'path.id': 'tickets' },
  nearby: { 'path.id': 'tickets', 'query.from': 'checkpoints', 'query.category': 'categories' },
  claim: { 'path.id': 'claimable', 'body.public_key': 'claimKeys', 'body.proof': 'claimProofs' },
  announcements: { 'query.zone': 'zones' },
  scan: { 'body.payload': 'codes', 'body.checkpoint': 'checkpoints', 'body.scan_id': 'scans' },
  scans: { 'body.scans[*].payload': 'codes', 'body.scans[*].checkpoint': 'checkpoints' },
  supervisorAdmit: { 'path.scan_id': 'refusals' },
  undoScan: { 'path.scan_id': 'admissions' },
  guidance: { 'query.payload': 'codes', 'query.checkpoint': 'checkpoints' },
  reportQueue: { 'body.checkpoint': 'checkpoints' },
  reportStatus: { 'body.checkpoint': 'checkpoints' },
  reportIncident: { 'body.checkpoint': 'checkpoints', 'body.incident_id': 'incidents' },
  announce: { 'body.zones[*]': 'zones' },
  attendance: { 'path.id': 'codes' },
  revokeDevice: { 'path.id': 'devices' },
  resolveFlag: { 'path.id': 'flags' },
  holdGate: { 'path.id': 'gates' },
  releaseGate: { 'path.id': 'gates' },
  actOnIncident: { 'path.id': 'incidents' },
  invite: { 'body.checkpoints[*]': 'checkpoints' },
  log: { 'query.device': 'devices', 'query.checkpoint': 'checkpoints' },
  revokeTicket: { 'path.id': 'codes' },
  reinstateTicket: { 'path.id': 'codes' },
  releaseClaim: { 'path.id': 'codes' },
  removeBox: { 'body.box_id': 'boxes' },
  promoteBox: { 'body.box_id': 'boxes' },
  meshJoin: { 'body.code': 'meshInvites' },
  meshVoter: { 'body.code': 'meshInvites' },
  meshBundle: { 'body.code': 'meshInvites' },
  pauseSink: { 'path.id': 'sinks' },
  resumeSink: { 'path.id': 'sinks' },
}

/** Streams never end: the first event is read. `walk` of site.ts sees to it that there soon is one. */
const STREAMS = ['stream', 'adminStream', 'announcementStream']

/** A backup's key is derived in a thread that makes way for everything else: beside three fuzzers it has taken more than 20 s. */
const PATIENCE_S = 90

/** It follows links between operations, too. None may lead from the list of devices to the end of the one that it asks with. */
const NO_LINKS_TO = 'revokeDevice'

/** @returns `schemathesis.toml` */
export function configurationOf({ url, token, ca, certificate }: Target, known: Known): string {
  return [
    `base-url = ${quote(url)}`,
    `request-timeout = ${PATIENCE_S}`,
    'max-stream-events = 1',
    ...(ca ? [`tls-verify = ${quote(ca)}`] : []),
    ...(certificate
      ? [`request-cert = ${quote(certificate.file)}`, `request-cert-key = ${quote(certificate.key)}`]
      : []),
    ...(token === undefined ? [] : ['[headers]', `Authorization = ${quote(`Bearer ${token}`)}`]),
    ...Object.entries(known).flatMap(([name, values]) => [
      `[dictionaries.${name}]`,
      `values = [${values.map(quote).join(', ')}]`,
    ]),
    ...Object.entries(BINDINGS)
      .filter(([, fields]) => Object.values(fields).every((name) => Object.hasOwn(known, name)))
      .flatMap(([operation, fields]) => [
        '[[operations]]',
        `include-operation-id = ${quote(operation)}`,
        '[operations.parameters]',
        ...Object.entries(fields).map(
          ([field, name]) => `${quote(field)} = { dictionary = ${quote(name)}, probability = ${OFTEN} }`,
        ),
      ]),
    ...STREAMS.flatMap((stream) => [
      '[[operations]]',
      `include-operation-id = ${quote(stream)}`,
      'request-timeout = 5',
    ]),
    '[[operations]]',
    `include-operation-id = ${quote(NO_LINKS_TO)}`,
    'phases.stateful.enabled = false',
    '',
  ].join('\n')
}

/** A basic string of TOML has the escapes of JSON. */
function quote(text: string): string {
  return JSON.stringify(text)
}
