CREATE TABLE `credentials` (
	`code_hash` blob PRIMARY KEY NOT NULL,
	`ticket` integer NOT NULL,
	`kind` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `credentials_ticket` ON `credentials` (`ticket`);--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`fingerprint` text NOT NULL,
	`token_hash` blob NOT NULL,
	`public_key` blob NOT NULL,
	`checkpoints` text NOT NULL,
	`enrolled_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text
);
--> statement-breakpoint
CREATE TABLE `flags` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`ticket_ref` text,
	`device` text,
	`occurrence` integer,
	`detected_at` integer NOT NULL,
	`scan_ids` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `identity` (
	`name` text PRIMARY KEY NOT NULL,
	`value` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invites` (
	`code_hash` blob PRIMARY KEY NOT NULL,
	`name` text,
	`checkpoints` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE TABLE `journal` (
	`idx` integer PRIMARY KEY NOT NULL,
	`hlc` text NOT NULL,
	`kind` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `movements` (
	`ticket` integer NOT NULL,
	`slot` text NOT NULL,
	`surplus` integer NOT NULL,
	`direction` text NOT NULL,
	`checkpoint` text NOT NULL,
	`from_zone` text,
	`to_zone` text,
	`occurrence` integer NOT NULL,
	`at` integer NOT NULL,
	`hlc` text NOT NULL,
	`scan_id` text NOT NULL,
	`provisional` integer NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`ticket`, `slot`, `surplus`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scans` (
	`scan_id` text PRIMARY KEY NOT NULL,
	`digest` blob NOT NULL,
	`passed` integer NOT NULL,
	`response` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tickets` (
	`id` integer PRIMARY KEY NOT NULL,
	`ref` text NOT NULL,
	`capability` text NOT NULL,
	`code` text NOT NULL,
	`tier` text NOT NULL,
	`seat` text,
	`holder_name` text,
	`email` text,
	`valid_from` integer,
	`valid_until` integer,
	`status` text NOT NULL,
	`status_detail` text,
	`revoked_at` integer,
	`revoked_reason` text,
	`seed` blob NOT NULL,
	`public_key` blob NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_ref` ON `tickets` (`ref`);--> statement-breakpoint
CREATE INDEX `tickets_entry` ON `tickets` (`entry`);