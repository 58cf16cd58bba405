CREATE TABLE `incident_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`incident` text NOT NULL,
	`note` text,
	`note_salt` blob,
	`device` text NOT NULL,
	`at` integer NOT NULL,
	`hlc` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `incident_notes_incident` ON `incident_notes` (`incident`);--> statement-breakpoint
ALTER TABLE `announcements` ADD `replaces` text;--> statement-breakpoint
ALTER TABLE `announcements` ADD `withdrawn` integer;