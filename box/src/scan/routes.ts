/** `POST /v1/scan`, what people decide after a scan, and the device stream (device tier). Uploads are in `upload-route.ts`. */
import { DeviceEvent } from '@gatehouse/proto/wire/device.ts'
import {
  AnswersRequest,
  AnswersTaken,
  GroupAnswer,
  GroupRequest,
  OverrideRequest,
  ScanRequest,
  Undone,
  Verdict,
} from '@gatehouse/proto/wire/scan.ts'
import { Id } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import type { ScanningDevice } from '../ca/roster.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import { takeAnswers } from './answers.ts'
import { admitGroup } from './group.ts'
import type { DeviceStreams } from './stream.ts'
import { supervisorAdmit } from './supervise.ts'
import { undo } from './undo.ts'
import { asStored, JSON_TEXT, redeemWithinLimit, TOO_OFTEN, type UploadDeps, uploadRoute } from './upload-route.ts'

const ScanParams = Type.Object({ scan_id: Id })

interface ScanRouteDeps extends UploadDeps {
  buckets: TokenBuckets
}

/** Names of a gate's routes: at the gate itself, and in a rehearsal. */
interface GateNames {
  /** Before the path of each. */
  under: string
  /** Before each summary. */
  when: string
  scan: string
  admit: string
  undo: string
  answers: string
  group: string
  /** Error codes that a scan has here only. */
  codes: readonly 'conflict'[]
}

const AT_THE_GATE: GateNames = {
  ...{ under: '', when: '', codes: [] },
  ...{ scan: 'scan', admit: 'supervisorAdmit', undo: 'undoScan', answers: 'answer', group: 'admitGroup' },
}
const IN_A_REHEARSAL: GateNames = {
  ...{ under: '/rehearsal', when: 'In a rehearsal, which records nothing: ', codes: ['conflict'] },
  scan: 'rehearseScan',
  admit: 'rehearseAdmit',
  undo: 'rehearseUndo',
  answers: 'rehearseAnswer',
  group: 'rehearseGroup',
}

const SCAN_FAILURES = [
  'bad_request',
  'not_allowed',
  'sign_on_needed',
  'not_found',
  'scan_id_reused',
  'rate_limited',
  'ledger_unavailable',
] as const

/** @returns what a request of this device is answered with */
type DepsFor = (device: ScanningDevice) => ScanRouteDeps

export function scanRoutes(app: App, deps: ScanRouteDeps): void {
  gateRoutes(app, () => deps, AT_THE_GATE)
  uploadRoute(app, deps)
}

/**
 * The same under another path, so that a box which knows of no rehearsal takes no scan of one for a real one. Nothing is uploaded there.
 * @param depsFor throws where no rehearsal runs
 */
export function rehearsalScanRoutes(app: App, depsFor: DepsFor): void {
  gateRoutes(app, depsFor, IN_A_REHEARSAL)
}

function gateRoutes(app: App, depsFor: DepsFor, names: GateNames): void {
  scanRoute(app, depsFor, names)
  admitRoute(app, depsFor, names)
  undoRoute(app, depsFor, names)
  answersRoute(app, depsFor, names)
  groupRoute(app, depsFor, names)
}

function scanRoute(app: App, depsFor: DepsFor, names: GateNames): void {
  app.post(`${names.under}/v1/scan`, {
    schema: {
      operationId: names.scan,
      summary: `${names.when}Validate a code and, if it may enter, admit it. Refusals are verdicts, not errors.`,
      body: ScanRequest,
      response: {
        200: Verdict,
        ...failures(...SCAN_FAILURES, ...names.codes),
      },
    },
    // The verdict is stored as text and sent as it is stored.
    serializerCompiler: asStored,
    handler: async (request, reply) => {
      const deps = depsFor(request.device)
      const buckets = request.body.offline_admitted ? deps.uploadBuckets : deps.buckets
      buckets.require(request.device.id, TOO_OFTEN)
      reply.type(JSON_TEXT)
      using _live = request.body.offline_admitted ? undefined : deps.ledger.liveScans.begin()
      const device = request.body.offline_admitted
        ? deps.signOns.earlier(request.device, request.body.signed_on)
        : deps.signOns.required(request.device)
      return (await redeemWithinLimit(request.body, device, deps)) as unknown as Verdict
    },
  })
}

function admitRoute(app: App, depsFor: DepsFor, names: GateNames): void {
  app.post(`${names.under}/v1/scan/:scan_id/admit`, {
    schema: {
      operationId: names.admit,
      summary: `${names.when}A supervisor admits the ticket that this scan refused.`,
      params: ScanParams,
      body: OverrideRequest,
      response: { 200: Verdict, ...overrideFailures() },
    },
    serializerCompiler: asStored,
    handler: async (request, reply) => {
      const deps = depsFor(request.device)
      deps.buckets.require(request.device.id, TOO_OFTEN)
      reply.type(JSON_TEXT)
      using _live = deps.ledger.liveScans.begin()
      const { scan_id } = request.params
      const device = deps.signOns.required(request.device)
      return (await supervisorAdmit(scan_id, request.body, device, deps)) as unknown as Verdict
    },
  })
}

function undoRoute(app: App, depsFor: DepsFor, names: GateNames): void {
  app.post(`${names.under}/v1/scan/:scan_id/undo`, {
    schema: {
      operationId: names.undo,
      summary: `${names.when}Take back the admission that this scan gave, on the scanner that gave it.`,
      params: ScanParams,
      body: OverrideRequest,
      response: { 200: Undone, ...overrideFailures() },
    },
    serializerCompiler: asStored,
    handler: async (request, reply) => {
      const deps = depsFor(request.device)
      deps.buckets.require(request.device.id, TOO_OFTEN)
      reply.type(JSON_TEXT)
      using _live = deps.ledger.liveScans.begin()
      const device = deps.signOns.required(request.device)
      return (await undo(request.params.scan_id, request.body, device, deps)) as unknown as Undone
    },
  })
}

function answersRoute(app: App, depsFor: DepsFor, names: GateNames): void {
  app.post(`${names.under}/v1/scan/:scan_id/answers`, {
    schema: {
      operationId: names.answers,
      summary: `${names.when}Answer questions that the admission by this scan left open, on the scanner that admitted.`,
      params: ScanParams,
      body: AnswersRequest,
      response: { 200: AnswersTaken, ...overrideFailures() },
    },
    handler: async (request) => {
      const deps = depsFor(request.device)
      deps.buckets.require(request.device.id, TOO_OFTEN)
      using _live = deps.ledger.liveScans.begin()
      return takeAnswers(request.params.scan_id, request.body.answers, deps.signOns.required(request.device), deps)
    },
  })
}

function groupRoute(app: App, depsFor: DepsFor, names: GateNames): void {
  app.post(`${names.under}/v1/scan/:scan_id/group`, {
    schema: {
      operationId: names.group,
      summary: `${names.when}Admit others of the order whose ticket this scan admitted: each as a scan of its own.`,
      params: ScanParams,
      body: GroupRequest,
      response: { 200: GroupAnswer, ...failures('scan_id_reused'), ...overrideFailures() },
    },
    serializerCompiler: asStored,
    handler: async (request, reply) => {
      const deps = depsFor(request.device)
      deps.buckets.require(request.device.id, TOO_OFTEN, request.body.scan_ids.length)
      using _live = deps.ledger.liveScans.begin()
      const texts = await admitGroup(request.params.scan_id, request.body, deps.signOns.required(request.device), deps)
      reply.type(JSON_TEXT)
      return `{"verdicts":[${texts.join(',')}]}` as unknown as GroupAnswer
    },
  })
}

export function streamRoutes(app: App, { streams }: { streams: DeviceStreams }): void {
  app.get('/v1/stream', {
    // An answer to HEAD would never end.
    exposeHeadRoute: false,
    config: { isStream: true },
    schema: {
      operationId: 'stream',
      summary: 'Redemptions at other gates, as server-sent events; resumes after Last-Event-ID.',
      description:
        'Begins with emergencies and holds that are in force; then `position`, or what was missed since Last-Event-ID, or `gap` where that cannot be sent. A comment every 15 s.',
      headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
      produces: ['text/event-stream'],
      response: { 200: DeviceEvent },
    },
    handler: (request, reply) => {
      streams.open(reply, request.device, request.headers['last-event-id'])
    },
  })
}

function overrideFailures() {
  return failures(
    'bad_request',
    'not_allowed',
    'sign_on_needed',
    'not_found',
    'conflict',
    'rate_limited',
    'ledger_unavailable',
  )
}
