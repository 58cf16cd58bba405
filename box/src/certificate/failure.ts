/** A failure of an attempt to obtain the certificate: a sentence in English, and the same as a code for apps. */
import type { Coded, CodeOf } from '@gatehouse/proto/said.ts'

export type CertificateCode = Coded<CodeOf<'certificate'>>

export class KnownFailure extends Error {
  override readonly name: string = 'KnownFailure'
  readonly coded: CertificateCode

  constructor(message: string, coded: CertificateCode, options?: ErrorOptions) {
    super(message, options)
    this.coded = coded
  }
}
