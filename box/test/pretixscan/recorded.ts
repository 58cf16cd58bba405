/**
 * The calls of an app, in their order, as the library of the apps has made them to a box (libpretixsync 8ebc571). `npm run
 * test:pretixscan` records them again, and fails where they are others; everywhere else they are replayed.
 */
const ORGANIZER = 'GET /api/v1/organizers/gatehouse'
const EVENT = `${ORGANIZER}/events/test-fair`
const NEWER = 'ordering=-last_modified&modified_since=DATE'
const ORDERS =
  'testmode=false&exclude=downloads&exclude=payment_date&exclude=payment_provider&exclude=fees&exclude=positions.downloads&exclude=payments&exclude=refunds'

/** Calls of every download between the dates of a series and the orders. @param changed the three that are asked for conditionally */
const ofEvent = (changed: '' | ' if changed'): readonly string[] => [
  `${EVENT}/`,
  ...['categories', 'items', 'questions'].map((name) => `${EVENT}/${name}/${changed}`),
  `${EVENT}/badgelayouts/`,
  `${EVENT}/badgeitems/`,
  `${EVENT}/checkinlists/?exclude=checkin_count&exclude=position_count`,
  `${EVENT}/revokedsecrets/`,
  `${EVENT}/blockedsecrets/`,
]

/** LIST and DATE stand for what is another at each run; "if changed" for the header of a conditional request. */
export const RECORDED = {
  /** Pairing, and the list of events. */
  start: [
    'POST /api/v1/device/initialize',
    `${ORGANIZER}/events/?ends_after=DATE&ordering=date_from`,
    `${ORGANIZER}/subevents/?ends_after=DATE&ordering=date_from&active=true`,
  ],
  /** The first download. */
  first: [
    'POST /api/v1/device/update',
    'GET /api/v1/device/info',
    `${ORGANIZER}/subevents/`,
    ...ofEvent(''),
    `${EVENT}/orders/?${ORDERS}`,
    `${ORGANIZER}/reusablemedia/`,
    `${EVENT}/settings/`,
  ],
  /** Each further one. */
  again: [
    'GET /api/v1/device/info',
    `${ORGANIZER}/subevents/?${NEWER}`,
    ...ofEvent(' if changed'),
    `${EVENT}/orders/?${ORDERS}&${NEWER}`,
    `${ORGANIZER}/reusablemedia/?ordering=-updated&updated_since=DATE`,
    `${EVENT}/settings/`,
  ],
  /** A code, a search and the counts, in proxy mode. */
  gate: [
    'POST /proxyapi/v1/rpc/check/',
    'POST /proxyapi/v1/rpc/search/',
    'GET /proxyapi/v1/rpc/test-fair/LIST/status/',
  ],
  /** A further download with the profile for scanning online. */
  online: [
    'GET /api/v1/device/info',
    `${ORGANIZER}/subevents/?${NEWER}`,
    ...ofEvent(' if changed'),
    `${EVENT}/settings/`,
  ],
  /** A code, in plain mode. */
  plain: ['POST /api/v1/organizers/gatehouse/checkinrpc/redeem/?expand=answers.question'],
  /** A download of a device that was revoked: it ends there. */
  revoked: ['GET /api/v1/device/info', `${ORGANIZER}/subevents/?${NEWER}`],
} as const satisfies Record<string, readonly string[]>
