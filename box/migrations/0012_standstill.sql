ALTER TABLE `incidents` ADD `scans` integer;--> statement-breakpoint
ALTER TABLE `incidents` ADD `refusals` integer;--> statement-breakpoint
ALTER TABLE `incidents` ADD `idle_seconds` integer;