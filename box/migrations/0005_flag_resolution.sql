ALTER TABLE `flags` ADD `resolution_salt` blob;--> statement-breakpoint
CREATE INDEX `flags_detected` ON `flags` (`detected_at`,`id`);