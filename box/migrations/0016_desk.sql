ALTER TABLE `tickets` ADD `desk_code` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `desk_link` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `desk_holder` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `desk_note` text;--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_desk_link` ON `tickets` (`desk_link`) WHERE desk_link IS NOT NULL;