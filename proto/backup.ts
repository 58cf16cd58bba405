/** Rules that box and dashboard have for encrypting a backup. */

/** Characters of the shortest passphrase: a thief with the file tries guesses for as long as they like. */
export const SHORTEST_PASSPHRASE = 12

/** Recipients of one backup. */
export const MOST_RECIPIENTS = 20

/** The form of an age recipient: X25519, or hybrid with ML-KEM-768. The box also checks its checksum. */
export const RECIPIENT = '^age1(pq1)?[02-9ac-hj-np-z]{58,2000}$'
