CREATE TABLE "gatehouse"."alarms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gatehouse"."alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"box" text NOT NULL,
	"history" bigint DEFAULT 0 NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"raised_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"count" bigint DEFAULT 1 NOT NULL,
	"answered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."announcements_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"id" text NOT NULL,
	"severity" text,
	"text" text,
	"lang" text,
	"zones" jsonb,
	"issued_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"hlc" text,
	"signature" text,
	"entry" bigint,
	CONSTRAINT "announcements_all_box_history_id_pk" PRIMARY KEY("box","history","id")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."boxes" (
	"name" text PRIMARY KEY NOT NULL,
	"ca_fingerprint" text NOT NULL,
	"ca" text NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone,
	"box" text,
	"event" text,
	"verifier_key" text,
	"connected" boolean DEFAULT false NOT NULL,
	"seen_at" timestamp with time zone,
	"waiting" bigint,
	"last_error" text,
	"last_error_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."devices_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"id" text NOT NULL,
	"name" text,
	"checkpoints" jsonb,
	"enrolled_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revoked_reason" text,
	"supervisor" boolean,
	CONSTRAINT "devices_all_box_history_id_pk" PRIMARY KEY("box","history","id")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."events" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"sequence" bigint NOT NULL,
	"index" integer NOT NULL,
	"id" text NOT NULL,
	"lsn" text NOT NULL,
	"committed_at" timestamp with time zone,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"table_name" text NOT NULL,
	"op" text NOT NULL,
	"before" json,
	"after" json,
	CONSTRAINT "events_box_history_sequence_index_pk" PRIMARY KEY("box","history","sequence","index")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."flags_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"id" text NOT NULL,
	"kind" text,
	"ticket_ref" text,
	"device" text,
	"occurrence" bigint,
	"detected_at" timestamp with time zone,
	"scan_ids" jsonb,
	"resolution" text,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "flags_all_box_history_id_pk" PRIMARY KEY("box","history","id")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."histories" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"sequence" bigint NOT NULL,
	"index" integer NOT NULL,
	"committed_at" timestamp with time zone,
	"received_at" timestamp with time zone,
	"events" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"leaves" bigint DEFAULT 0 NOT NULL,
	"tree" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"truncated" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "histories_box_history_pk" PRIMARY KEY("box","history")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."holds_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"id" text NOT NULL,
	"gate" text,
	"reason" text,
	"actor" text,
	"placed_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"released_at" timestamp with time zone,
	"released_by" text,
	"entry" bigint,
	CONSTRAINT "holds_all_box_history_id_pk" PRIMARY KEY("box","history","id")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."incident_actions_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"incident" text NOT NULL,
	"version" bigint NOT NULL,
	"action" text,
	"actor" text,
	"assignee" text,
	"reason" text,
	"at" timestamp with time zone,
	"hlc" text,
	"entry" bigint,
	CONSTRAINT "incident_actions_all_box_history_incident_version_pk" PRIMARY KEY("box","history","incident","version")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."incidents_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"id" text NOT NULL,
	"kind" text,
	"state" text,
	"checkpoint" text,
	"gate" text,
	"zone" text,
	"queue_rate_per_min" double precision,
	"occupancy" bigint,
	"reported_by" text,
	"observed_at" timestamp with time zone,
	"reported_at" timestamp with time zone,
	"hlc" text,
	"assignee" text,
	"version" bigint,
	"entry" bigint,
	CONSTRAINT "incidents_all_box_history_id_pk" PRIMARY KEY("box","history","id")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."journal_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"idx" bigint NOT NULL,
	"hlc" text,
	"kind" text,
	"bytes" text,
	CONSTRAINT "journal_all_box_history_idx_pk" PRIMARY KEY("box","history","idx")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."movements_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"ticket" bigint NOT NULL,
	"slot" text NOT NULL,
	"surplus" bigint NOT NULL,
	"direction" text,
	"checkpoint" text,
	"from_zone" text,
	"to_zone" text,
	"occurrence" bigint,
	"at" timestamp with time zone,
	"hlc" text,
	"scan_id" text,
	"provisional" boolean,
	"entry" bigint,
	CONSTRAINT "movements_all_box_history_ticket_slot_surplus_pk" PRIMARY KEY("box","history","ticket","slot","surplus")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."overrides_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"scan_id" text NOT NULL,
	"kind" text NOT NULL,
	"device" text,
	"actor" text,
	"reason" text,
	"at" timestamp with time zone,
	"entry" bigint,
	CONSTRAINT "overrides_all_box_history_scan_id_kind_pk" PRIMARY KEY("box","history","scan_id","kind")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."seal_checks" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"size" bigint NOT NULL,
	"verdict" text NOT NULL,
	"key_id" text NOT NULL,
	"root" text NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seal_checks_box_history_size_pk" PRIMARY KEY("box","history","size")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."seals_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"size" bigint NOT NULL,
	"root" text,
	"note" text,
	"at" timestamp with time zone,
	CONSTRAINT "seals_all_box_history_size_pk" PRIMARY KEY("box","history","size")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."tickets_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"id" bigint NOT NULL,
	"ref" text,
	"shared_ref" text,
	"tier" text,
	"seat" text,
	"valid_from" timestamp with time zone,
	"valid_until" timestamp with time zone,
	"status" text,
	"revoked_at" timestamp with time zone,
	"claimed_at" timestamp with time zone,
	"entry" bigint,
	CONSTRAINT "tickets_all_box_history_id_pk" PRIMARY KEY("box","history","id")
);
--> statement-breakpoint
CREATE TABLE "gatehouse"."tiers_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"tier" text NOT NULL,
	"name" text NOT NULL,
	"entry" text NOT NULL,
	"at_entry" bigint NOT NULL,
	CONSTRAINT "tiers_all_box_history_tier_pk" PRIMARY KEY("box","history","tier")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_finding" ON "gatehouse"."alarms" USING btree ("box","history","kind","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "boxes_ca" ON "gatehouse"."boxes" USING btree ("ca_fingerprint") WHERE "gatehouse"."boxes"."removed_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "boxes_box" ON "gatehouse"."boxes" USING btree ("box") WHERE "gatehouse"."boxes"."removed_at" IS NULL;--> statement-breakpoint
CREATE INDEX "tickets_all_shared" ON "gatehouse"."tickets_all" USING btree ("shared_ref");