-- Answers in the order of their ids, and each text that many of them share once. Before, each scan wrote a row of 500 bytes, and a page of an
-- index at a random place. Answers that are there keep their own text.
CREATE TABLE `verdict_texts` (
	`id` integer PRIMARY KEY NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `__new_scans` (
	`scan_id` blob PRIMARY KEY NOT NULL,
	`digest` blob NOT NULL,
	`passed` integer NOT NULL,
	`text` integer NOT NULL,
	`own` text,
	`entry` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `verdict_texts` SELECT `rowid`, `response` FROM `scans` ORDER BY `rowid`;--> statement-breakpoint
INSERT INTO `__new_scans` SELECT `scan_id`, `digest`, `passed`, `rowid`, NULL, `entry` FROM `scans` ORDER BY `scan_id`;--> statement-breakpoint
DROP TABLE `scans`;--> statement-breakpoint
ALTER TABLE `__new_scans` RENAME TO `scans`;
