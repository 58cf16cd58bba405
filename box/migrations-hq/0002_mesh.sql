-- Boxes that hear each other each publish what they heard: a passage is one, whichever of them told of it, and its box is the
-- one where it happened. Those boxes share a ticket's `ref`, with or without a ticket key.
CREATE OR REPLACE VIEW gatehouse.passages AS
  SELECT DISTINCT ON (coalesce(b.event, ''), m.scan_id, m.direction, CASE WHEN m.scan_id IS NULL THEN m.box || ' ' || m.ticket || ' ' || m.slot || ' ' || m.surplus END)
    coalesce(substring(heard.bytes from '"box":"([a-z0-9-]+)"'), m.box) AS box, coalesce(b.event, '') AS event,
    coalesce(t.shared_ref, t.ref, m.box || '/' || m.ticket) AS ticket_key,
    t.shared_ref, t.ref AS ticket_ref, t.tier, t.seat, m.direction, m.checkpoint, m.from_zone, m.to_zone, m.slot, m.at, m.hlc,
    m.scan_id, m.provisional, m.entry
  FROM gatehouse.movements AS m
  LEFT JOIN gatehouse.tickets AS t ON t.box = m.box AND t.id = m.ticket
  LEFT JOIN gatehouse.journal AS heard ON heard.box = m.box AND heard.idx = m.entry AND heard.kind = 'heard'
  LEFT JOIN (SELECT box, max(event) AS event FROM gatehouse.boxes GROUP BY box) AS b ON b.box = m.box
  -- Its own box tells it best; two that admitted one scan, because the first did not answer, are the earlier one.
  ORDER BY coalesce(b.event, ''), m.scan_id, m.direction,
    CASE WHEN m.scan_id IS NULL THEN m.box || ' ' || m.ticket || ' ' || m.slot || ' ' || m.surplus END,
    m.hlc COLLATE "C", heard.bytes IS NOT NULL, m.box;
--> statement-breakpoint
CREATE OR REPLACE VIEW gatehouse.double_use_between_boxes AS
  SELECT DISTINCT ON (late.event, late.ticket_key, late.box, late.scan_id)
    late.event, late.shared_ref, late.tier, late.to_zone AS zone,
    early.box AS first_box, early.ticket_ref AS first_ticket_ref, early.checkpoint AS first_checkpoint, early.at AS first_at,
    early.provisional AS first_provisional, early.scan_id AS first_scan_id,
    late.box AS second_box, late.ticket_ref AS second_ticket_ref, late.checkpoint AS second_checkpoint,
    late.at AS second_at, late.provisional AS second_provisional, late.scan_id AS second_scan_id
  FROM gatehouse.passages AS late
  JOIN gatehouse.passages AS early
    ON early.event = late.event AND early.ticket_key = late.ticket_key AND early.box <> late.box
    AND early.to_zone = late.to_zone AND early.direction = 'in'
    AND (early.at, early.hlc COLLATE "C", early.box) < (late.at, late.hlc COLLATE "C", late.box)
  LEFT JOIN gatehouse.tiers ON tiers.box = late.box AND tiers.tier = late.tier
  WHERE late.direction = 'in' AND CASE tiers.entry
    WHEN 'unlimited' THEN false
    WHEN 'reentry' THEN NOT EXISTS (
      SELECT FROM gatehouse.passages AS exit
      WHERE exit.event = late.event AND exit.ticket_key = late.ticket_key
        AND exit.direction = 'out' AND exit.from_zone = late.to_zone
        AND (exit.at, exit.hlc COLLATE "C") > (early.at, early.hlc COLLATE "C")
        AND (exit.at, exit.hlc COLLATE "C") < (late.at, late.hlc COLLATE "C")
    )
    ELSE early.slot = late.slot
  END
  ORDER BY late.event, late.ticket_key, late.box, late.scan_id, early.at DESC;
--> statement-breakpoint
-- Of boxes that hear each other each has every case and every incident: once for the event, as the box has it that knows most.
CREATE VIEW gatehouse.event_flags AS
  SELECT DISTINCT ON (b.event, f.id) b.event, f.id, f.kind, f.ticket_ref, f.occurrence, f.detected_at, f.scan_ids,
    f.resolution, f.resolved_at, f.box AS told_by
  FROM gatehouse.flags AS f
  JOIN (SELECT box, coalesce(max(event), '') AS event FROM gatehouse.boxes GROUP BY box) AS b ON b.box = f.box
  ORDER BY b.event, f.id, CASE jsonb_typeof(f.scan_ids) WHEN 'array' THEN jsonb_array_length(f.scan_ids) ELSE 0 END DESC,
    f.resolution IS NULL, f.resolved_at DESC, f.box;
--> statement-breakpoint
CREATE VIEW gatehouse.event_incidents AS
  SELECT DISTINCT ON (b.event, i.id) b.event, i.id, i.kind, i.state, i.checkpoint, i.gate, i.zone, i.queue_rate_per_min,
    i.occupancy, i.reported_by, i.observed_at, i.reported_at, i.assignee, i.version, i.box AS told_by
  FROM gatehouse.incidents AS i
  JOIN (SELECT box, coalesce(max(event), '') AS event FROM gatehouse.boxes GROUP BY box) AS b ON b.box = i.box
  -- Boxes that do not hear each other may each know of a step that the other does not: it has gone as far as anybody says.
  ORDER BY b.event, i.id, array_position(ARRAY['open', 'acknowledged', 'assigned'], i.state) DESC NULLS FIRST, i.version DESC,
    i.box;
--> statement-breakpoint
-- What was done about them, whichever box knows of it.
CREATE VIEW gatehouse.event_incident_actions AS
  SELECT b.event, a.incident, a.hlc, a.action, a.actor, a.assignee, a.reason, a.at, min(a.box) AS told_by
  FROM gatehouse.incident_actions AS a
  JOIN (SELECT box, coalesce(max(event), '') AS event FROM gatehouse.boxes GROUP BY box) AS b ON b.box = a.box
  GROUP BY b.event, a.incident, a.hlc, a.action, a.actor, a.assignee, a.reason, a.at;
