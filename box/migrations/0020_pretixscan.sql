ALTER TABLE `devices` ADD `app` text;--> statement-breakpoint
ALTER TABLE `invites` ADD `app` text;