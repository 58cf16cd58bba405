-- What is true now: of each box the newest history of its ledger, without what was deleted.
--> statement-breakpoint
CREATE VIEW gatehouse.current_histories AS
  SELECT box, max(history) AS history FROM gatehouse.histories GROUP BY box;
--> statement-breakpoint
CREATE VIEW gatehouse.announcements AS
  SELECT box, id, severity, text, lang, zones, issued_at, expires_at, hlc, signature, entry, extra
  FROM gatehouse.announcements_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.devices AS
  SELECT box, id, name, checkpoints, enrolled_at, expires_at, revoked_at, revoked_reason, supervisor, extra
  FROM gatehouse.devices_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.flags AS
  SELECT box, id, kind, ticket_ref, device, occurrence, detected_at, scan_ids, resolution, resolved_at, extra
  FROM gatehouse.flags_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.holds AS
  SELECT box, id, gate, reason, actor, placed_at, expires_at, released_at, released_by, entry, extra
  FROM gatehouse.holds_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.incident_actions AS
  SELECT box, incident, version, action, actor, assignee, reason, at, hlc, entry, extra
  FROM gatehouse.incident_actions_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.incidents AS
  SELECT box, id, kind, state, checkpoint, gate, zone, queue_rate_per_min, occupancy, reported_by,
    observed_at, reported_at, hlc, assignee, version, entry, extra
  FROM gatehouse.incidents_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.journal AS
  SELECT box, idx, hlc, kind, bytes, extra
  FROM gatehouse.journal_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.movements AS
  SELECT box, ticket, slot, surplus, direction, checkpoint, from_zone, to_zone, occurrence, at, hlc, scan_id,
    provisional, entry, extra
  FROM gatehouse.movements_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.overrides AS
  SELECT box, scan_id, kind, device, actor, reason, at, entry, extra
  FROM gatehouse.overrides_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.seals AS
  SELECT box, size, root, note, at, extra
  FROM gatehouse.seals_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.tickets AS
  SELECT box, id, ref, shared_ref, tier, seat, valid_from, valid_until, status, revoked_at, claimed_at, entry,
    extra
  FROM gatehouse.tickets_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
--> statement-breakpoint
CREATE VIEW gatehouse.tiers AS
  SELECT box, tier, name, entry FROM gatehouse.tiers_all JOIN gatehouse.current_histories USING (box, history);
--> statement-breakpoint
-- Passages by ticket. `ticket_key` is the same at every box that shares a ticket key; without one, a ticket is the box's own.
CREATE VIEW gatehouse.passages AS
  SELECT m.box, coalesce(b.event, '') AS event, coalesce(t.shared_ref, m.box || '/' || m.ticket) AS ticket_key,
    t.shared_ref, t.ref AS ticket_ref, t.tier, t.seat, m.direction, m.checkpoint, m.from_zone, m.to_zone, m.slot, m.at, m.hlc,
    m.scan_id, m.provisional, m.entry
  FROM gatehouse.movements AS m
  LEFT JOIN gatehouse.tickets AS t ON t.box = m.box AND t.id = m.ticket
  LEFT JOIN (SELECT box, max(event) AS event FROM gatehouse.boxes GROUP BY box) AS b ON b.box = m.box;
--> statement-breakpoint
-- Who is inside, by the last passage of each ticket, whichever box saw it: nobody is counted twice.
CREATE VIEW gatehouse.inside AS
  SELECT event, to_zone AS zone, ticket_key, shared_ref, ticket_ref, tier, seat, box, checkpoint, at AS since
  FROM (
    SELECT DISTINCT ON (event, ticket_key) * FROM gatehouse.passages
    ORDER BY event, ticket_key, at DESC, hlc COLLATE "C" DESC, box, entry DESC
  ) AS newest
  WHERE to_zone IS NOT NULL;
--> statement-breakpoint
CREATE VIEW gatehouse.inside_by_zone AS
  SELECT event, zone, count(*) AS people, count(DISTINCT box) AS boxes, max(since) AS newest
  FROM gatehouse.inside GROUP BY event, zone;
--> statement-breakpoint
-- The same ticket let into the same zone at two boxes, where its tier gives no right to it: one row for each admission that
-- came later, with the newest one before it at another box. A ticket that may come back in has used its right twice only if
-- no box saw it leave in between; one that may come as often as it likes is never here.
CREATE VIEW gatehouse.double_use_between_boxes AS
  SELECT DISTINCT ON (late.event, late.shared_ref, late.box, late.scan_id)
    late.event, late.shared_ref, late.tier, late.to_zone AS zone,
    early.box AS first_box, early.ticket_ref AS first_ticket_ref, early.checkpoint AS first_checkpoint, early.at AS first_at,
    early.provisional AS first_provisional, early.scan_id AS first_scan_id,
    late.box AS second_box, late.ticket_ref AS second_ticket_ref, late.checkpoint AS second_checkpoint,
    late.at AS second_at, late.provisional AS second_provisional, late.scan_id AS second_scan_id
  FROM gatehouse.passages AS late
  JOIN gatehouse.passages AS early
    ON early.event = late.event AND early.shared_ref = late.shared_ref AND early.box <> late.box
    AND early.to_zone = late.to_zone AND early.direction = 'in'
    AND (early.at, early.hlc COLLATE "C", early.box) < (late.at, late.hlc COLLATE "C", late.box)
  LEFT JOIN gatehouse.tiers ON tiers.box = late.box AND tiers.tier = late.tier
  WHERE late.direction = 'in' AND CASE tiers.entry
    WHEN 'unlimited' THEN false
    WHEN 'reentry' THEN NOT EXISTS (
      SELECT FROM gatehouse.passages AS exit
      WHERE exit.event = late.event AND exit.shared_ref = late.shared_ref
        AND exit.direction = 'out' AND exit.from_zone = late.to_zone
        AND (exit.at, exit.hlc COLLATE "C") > (early.at, early.hlc COLLATE "C")
        AND (exit.at, exit.hlc COLLATE "C") < (late.at, late.hlc COLLATE "C")
    )
    ELSE early.slot = late.slot
  END
  ORDER BY late.event, late.shared_ref, late.box, late.scan_id, early.at DESC;
