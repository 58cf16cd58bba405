/** Every sentence that a person reads in this app, in English. A second language is a second file with the same keys. */
export const words = {
  title: 'Gatehouse Scanner',
} as const
