CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`name` text NOT NULL,
	`site` text NOT NULL,
	`credential` blob NOT NULL,
	`public_key` blob NOT NULL,
	`transports` text NOT NULL,
	`counter` integer NOT NULL,
	`added_at` integer NOT NULL,
	`removed_at` integer,
	`last_used_at` integer,
	`last_address` text,
	`entry` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `staff_sessions` ADD `passkey` text;