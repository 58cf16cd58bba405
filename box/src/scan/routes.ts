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

export function scanRoutes(app: App, deps: ScanRouteDeps): void {
  scanRoute(app, deps)
  uploadRoute(app, deps)
  admitRoute(app, deps)
  undoRoute(app, deps)
  answersRoute(app, deps)
  groupRoute(app, deps)
}

function scanRoute(app: App, deps: ScanRouteDeps): void {
  app.post('/v1/scan', {
    schema: {
      operationId: 'scan',
      summary: 'Validate a code and, if it may enter, admit it. Refusals are verdicts, not errors.',
      body: ScanRequest,
      response: {
        200: Verdict,
        ...failures(
          'bad_request',
          'not_allowed',
          'sign_on_needed',
          'not_found',
          'scan_id_reused',
          'rate_limited',
          'ledger_unavailable',
        ),
      },
    },
    // The verdict is stored as text and sent as it is stored.
    serializerCompiler: asStored,
    handler: async (request, reply) => {
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

function admitRoute(app: App, deps: ScanRouteDeps): void {
  app.post('/v1/scan/:scan_id/admit', {
    schema: {
      operationId: 'supervisorAdmit',
      summary: 'A supervisor admits the ticket that this scan refused.',
      params: ScanParams,
      body: OverrideRequest,
      response: { 200: Verdict, ...overrideFailures() },
    },
    serializerCompiler: asStored,
    handler: async (request, reply) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      reply.type(JSON_TEXT)
      using _live = deps.ledger.liveScans.begin()
      const { scan_id } = request.params
      const device = deps.signOns.required(request.device)
      return (await supervisorAdmit(scan_id, request.body, device, deps)) as unknown as Verdict
    },
  })
}

function undoRoute(app: App, deps: ScanRouteDeps): void {
  app.post('/v1/scan/:scan_id/undo', {
    schema: {
      operationId: 'undoScan',
      summary: 'Take back the admission that this scan gave, on the scanner that gave it.',
      params: ScanParams,
      body: OverrideRequest,
      response: { 200: Undone, ...overrideFailures() },
    },
    serializerCompiler: asStored,
    handler: async (request, reply) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      reply.type(JSON_TEXT)
      using _live = deps.ledger.liveScans.begin()
      const device = deps.signOns.required(request.device)
      return (await undo(request.params.scan_id, request.body, device, deps)) as unknown as Undone
    },
  })
}

function answersRoute(app: App, deps: ScanRouteDeps): void {
  app.post('/v1/scan/:scan_id/answers', {
    schema: {
      operationId: 'answer',
      summary: 'Answer questions that the admission by this scan left open, on the scanner that admitted.',
      params: ScanParams,
      body: AnswersRequest,
      response: { 200: AnswersTaken, ...overrideFailures() },
    },
    handler: async (request) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      using _live = deps.ledger.liveScans.begin()
      return takeAnswers(request.params.scan_id, request.body.answers, deps.signOns.required(request.device), deps)
    },
  })
}

function groupRoute(app: App, deps: ScanRouteDeps): void {
  app.post('/v1/scan/:scan_id/group', {
    schema: {
      operationId: 'admitGroup',
      summary: 'Admit others of the order whose ticket this scan admitted: each as a scan of its own.',
      params: ScanParams,
      body: GroupRequest,
      response: { 200: GroupAnswer, ...failures('scan_id_reused'), ...overrideFailures() },
    },
    serializerCompiler: asStored,
    handler: async (request, reply) => {
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
