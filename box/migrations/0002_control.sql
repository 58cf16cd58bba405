CREATE TABLE `holds` (
	`id` text PRIMARY KEY NOT NULL,
	`gate` text NOT NULL,
	`reason` text NOT NULL,
	`actor` text NOT NULL,
	`placed_at` integer NOT NULL,
	`expires_at` integer,
	`released_at` integer,
	`released_by` text,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `incident_actions` (
	`incident` text NOT NULL,
	`version` integer NOT NULL,
	`action` text NOT NULL,
	`actor` text NOT NULL,
	`assignee` text,
	`reason` text,
	`at` integer NOT NULL,
	`hlc` text NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`incident`, `version`)
);
--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` blob NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`checkpoint` text NOT NULL,
	`gate` text NOT NULL,
	`zone` text,
	`queue_rate_per_min` real NOT NULL,
	`occupancy` integer,
	`note` text,
	`note_salt` blob,
	`reported_by` text NOT NULL,
	`observed_at` integer NOT NULL,
	`reported_at` integer NOT NULL,
	`hlc` text NOT NULL,
	`assignee` text,
	`version` integer NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `overrides` (
	`scan_id` text NOT NULL,
	`kind` text NOT NULL,
	`device` text NOT NULL,
	`actor` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL,
	`response` text NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `seals` (
	`size` integer PRIMARY KEY NOT NULL,
	`root` blob NOT NULL,
	`note` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subtrees` (
	`level` integer NOT NULL,
	`idx` integer NOT NULL,
	`hash` blob NOT NULL,
	PRIMARY KEY(`level`, `idx`)
);
--> statement-breakpoint
CREATE TABLE `tallies` (
	`name` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `devices` ADD `supervisor` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `flags` ADD `resolution` text;--> statement-breakpoint
ALTER TABLE `flags` ADD `resolution_note` text;--> statement-breakpoint
ALTER TABLE `flags` ADD `resolved_by` text;--> statement-breakpoint
ALTER TABLE `flags` ADD `resolved_at` integer;--> statement-breakpoint
ALTER TABLE `invites` ADD `supervisor` integer DEFAULT false NOT NULL;