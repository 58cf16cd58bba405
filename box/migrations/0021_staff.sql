CREATE TABLE `admin_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`hlc` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`operations` text,
	`token_hash` blob NOT NULL,
	`made_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`last_used_at` integer,
	`last_address` text,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`secret` text,
	`added_at` integer NOT NULL,
	`removed_at` integer,
	`hlc` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `staff_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`person` text NOT NULL,
	`device` text,
	`address` text NOT NULL,
	`opened_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `staff_sessions_person` ON `staff_sessions` (`person`);