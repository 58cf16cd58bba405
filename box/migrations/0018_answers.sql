CREATE TABLE `answers` (
	`scan_id` text PRIMARY KEY NOT NULL,
	`ticket_ref` text NOT NULL,
	`device` text NOT NULL,
	`answers` text NOT NULL,
	`at` integer NOT NULL,
	`hlc` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `answers_ticket` ON `answers` (`ticket_ref`);