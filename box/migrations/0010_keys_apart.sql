-- From here on the keys are beside the ledger (src/ledger/secrets.ts). An older box refuses such a ledger by this migration: it would
-- not find its keys in it, and make new ones.
DELETE FROM `identity` WHERE `name` = 'keys_moved';
