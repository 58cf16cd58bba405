CREATE TABLE `boxes` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`log_key` text NOT NULL,
	`heard` integer DEFAULT 0 NOT NULL,
	`left_at` integer
);
--> statement-breakpoint
CREATE TABLE `claim_queue` (
	`scan_id` text NOT NULL,
	`ticket_ref` text NOT NULL,
	`slot` text NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `slot`)
);
--> statement-breakpoint
CREATE TABLE `cosignatures` (
	`box` text NOT NULL,
	`size` integer NOT NULL,
	`witness` text NOT NULL,
	`line` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`box`, `size`, `witness`)
);
--> statement-breakpoint
CREATE TABLE `peer_journal` (
	`box` text NOT NULL,
	`idx` integer NOT NULL,
	`hlc` text NOT NULL,
	`kind` text NOT NULL,
	`bytes` blob NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`box`, `idx`)
);
--> statement-breakpoint
CREATE TABLE `peer_seals` (
	`box` text NOT NULL,
	`size` integer NOT NULL,
	`root` blob NOT NULL,
	`note` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`box`, `size`)
);
--> statement-breakpoint
CREATE TABLE `ticket_versions` (
	`ticket` integer NOT NULL,
	`grp` text NOT NULL,
	`hlc` text,
	`box` text,
	`entry` integer NOT NULL,
	PRIMARY KEY(`ticket`, `grp`)
);
--> statement-breakpoint
CREATE TABLE `waiting_passages` (
	`ticket_ref` text NOT NULL,
	`scan_id` text NOT NULL,
	`hlc` text NOT NULL,
	`passage` text NOT NULL,
	PRIMARY KEY(`ticket_ref`, `scan_id`)
);
--> statement-breakpoint
ALTER TABLE `flags` ADD `resolution_hlc` text;--> statement-breakpoint
ALTER TABLE `flags` ADD `resolution_box` text;