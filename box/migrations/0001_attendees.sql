CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`severity` text NOT NULL,
	`text` text NOT NULL,
	`lang` text NOT NULL,
	`zones` text,
	`issued_at` integer NOT NULL,
	`expires_at` integer,
	`hlc` text NOT NULL,
	`signature` blob NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `tickets` ADD `claimed_at` integer;