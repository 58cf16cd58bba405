CREATE TABLE `flag_scans` (
	`id` integer PRIMARY KEY NOT NULL,
	`flag` text NOT NULL,
	`scan_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `flag_scans_key` ON `flag_scans` (`flag`,`scan_id`);--> statement-breakpoint
INSERT OR IGNORE INTO `flag_scans` (`flag`, `scan_id`) SELECT `flags`.`id`, `value` FROM `flags`, json_each(`flags`.`scan_ids`) ORDER BY `flags`.`detected_at`, `flags`.`id`, `key`;
--> statement-breakpoint
UPDATE `flags` SET `scan_ids` = (SELECT json_group_array(`value`) FROM (SELECT `value` FROM json_each(`flags`.`scan_ids`) ORDER BY `key` LIMIT 32)) WHERE json_array_length(`scan_ids`) > 32;
