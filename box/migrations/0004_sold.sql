CREATE TABLE `sold` (
	`tier` text PRIMARY KEY NOT NULL,
	`tickets` integer NOT NULL
);

--> statement-breakpoint
INSERT INTO `sold` SELECT `tier`, count(*) FROM `tickets` WHERE `status` = 'valid' AND `revoked_at` IS NULL GROUP BY `tier`;
--> statement-breakpoint
CREATE TRIGGER `sold_insert` AFTER INSERT ON `tickets`
WHEN NEW.`status` = 'valid' AND NEW.`revoked_at` IS NULL
BEGIN
	INSERT INTO `sold` VALUES (NEW.`tier`, 1) ON CONFLICT (`tier`) DO UPDATE SET `tickets` = `tickets` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `sold_update_before` AFTER UPDATE OF `tier`, `status`, `revoked_at` ON `tickets`
WHEN OLD.`status` = 'valid' AND OLD.`revoked_at` IS NULL
BEGIN
	UPDATE `sold` SET `tickets` = `tickets` - 1 WHERE `tier` = OLD.`tier`;
END;
--> statement-breakpoint
CREATE TRIGGER `sold_update_after` AFTER UPDATE OF `tier`, `status`, `revoked_at` ON `tickets`
WHEN NEW.`status` = 'valid' AND NEW.`revoked_at` IS NULL
BEGIN
	INSERT INTO `sold` VALUES (NEW.`tier`, 1) ON CONFLICT (`tier`) DO UPDATE SET `tickets` = `tickets` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `sold_delete` AFTER DELETE ON `tickets`
WHEN OLD.`status` = 'valid' AND OLD.`revoked_at` IS NULL
BEGIN
	UPDATE `sold` SET `tickets` = `tickets` - 1 WHERE `tier` = OLD.`tier`;
END;
