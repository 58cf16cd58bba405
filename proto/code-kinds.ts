/** Kinds of codes that scanners read besides QR, where the event says so: each costs time in every frame. The names are BarcodeDetector's. */
export const CODE_KINDS = ['aztec', 'code_128', 'data_matrix', 'pdf417'] as const
export type CodeKind = (typeof CODE_KINDS)[number]
