/**
 * PKCS#12 (RFC 7292): a key and its certificates as the one file that phones and browsers import.
 *
 * Two ciphers, because no single file works everywhere: current software requires AES-256 and SHA-256, and the importers of Apple
 * and of older Androids report "wrong password" for anything but 3DES and SHA-1. Implemented here because WebCrypto, and so
 * every library on top of it, has no 3DES, and key and password should not be passed to an openssl command.
 *
 * An attacker with the file can try passwords offline, and 2,048 rounds hardly slow that: the strength is in `newPassword`.
 */
import {
  createCipheriv,
  createHash,
  createHmac,
  hash,
  type KeyObject,
  pbkdf2Sync,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import {
  Set as Asn1Set,
  type BaseBlock,
  BmpString,
  Constructed,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
} from 'asn1js'

type Random = (size: number) => Uint8Array

type Scheme = {
  digest: 'sha1' | 'sha256'
  digestOid: string
  encrypt(plain: Uint8Array, password: string, random: Random): { algorithm: Sequence; encrypted: Uint8Array }
}

const ROUNDS = 2048

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2'
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3'
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1'
const FRIENDLY_NAME = '1.2.840.113549.1.9.20'
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21'

const MODERN: Scheme = {
  digest: 'sha256',
  digestOid: '2.16.840.1.101.3.4.2.1',
  encrypt(plain, password, random) {
    const salt = random(16)
    const iv = random(16)
    const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256'), iv)
    const hmacWithSha256 = sequence(oid('1.2.840.113549.2.9'), new Null())
    const pbkdf2 = sequence(oid('1.2.840.113549.1.5.12'), sequence(octets(salt), integer(ROUNDS), hmacWithSha256))
    const aes256 = sequence(oid('2.16.840.1.101.3.4.1.42'), octets(iv))
    return {
      algorithm: sequence(oid('1.2.840.113549.1.5.13'), sequence(pbkdf2, aes256)),
      encrypted: Buffer.concat([cipher.update(plain), cipher.final()]),
    }
  },
}

const LEGACY: Scheme = {
  digest: 'sha1',
  digestOid: '1.3.14.3.2.26',
  encrypt(plain, password, random) {
    const salt = random(8)
    const key = deriveKey('sha1', password, salt, 1, 24)
    const cipher = createCipheriv('des-ede3-cbc', key, deriveKey('sha1', password, salt, 2, 8))
    return {
      algorithm: sequence(oid('1.2.840.113549.1.12.1.3'), sequence(octets(salt), integer(ROUNDS))),
      encrypted: Buffer.concat([cipher.update(plain), cipher.final()]),
    }
  },
}

/**
 * One identity as two files: `modern` (AES-256, SHA-256) and `legacy` (3DES, SHA-1), which is what phones accept.
 * `certificates` are PEM, the key's own first and then its issuer; `name` is shown in the device's list.
 * @throws RangeError for an empty password: some importers fail for it, and others then ask for none
 */
export function makePkcs12(
  identity: { key: KeyObject; certificates: readonly string[]; password: string; name: string },
  random: Random = randomBytes,
): { modern: Uint8Array; legacy: Uint8Array } {
  if (identity.password === '') throw new RangeError('A PKCS#12 file needs a password')
  return { modern: pfx(identity, MODERN, random), legacy: pfx(identity, LEGACY, random) }
}

/**
 * Sixteen letters, 72 bits: lower case only, so that nobody has to switch a phone's keyboard, and without those that
 * look like another letter or a digit.
 */
export function newPassword(random: Random = randomBytes): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz'
  // Bytes above the last whole multiple would make the first letters more likely.
  const fair = 256 - (256 % letters.length)
  let password = ''
  while (password.length < 16) {
    for (const byte of random(16)) if (byte < fair && password.length < 16) password += letters[byte % letters.length]
  }
  return password
}

function pfx(
  { key, certificates, password, name }: Parameters<typeof makePkcs12>[0],
  scheme: Scheme,
  random: Random,
): Uint8Array {
  const chain = certificates.map((pem) => new X509Certificate(pem).raw)
  // Both have the same id, by which an importer finds the certificate of the key.
  const id = createHash('sha1')
    .update(chain[0] ?? '')
    .digest()
  const named = new Asn1Set({
    value: [
      sequence(oid(FRIENDLY_NAME), new Asn1Set({ value: [new BmpString({ value: name })] })),
      sequence(oid(LOCAL_KEY_ID), new Asn1Set({ value: [octets(id)] })),
    ],
  })

  const shrouded = scheme.encrypt(key.export({ format: 'der', type: 'pkcs8' }), password, random)
  const keyBag = sequence(
    oid(SHROUDED_KEY_BAG),
    explicit(sequence(shrouded.algorithm, octets(shrouded.encrypted))),
    named,
  )
  const certificateBags = chain.map((certificate, i) =>
    sequence(
      oid(CERTIFICATE_BAG),
      explicit(sequence(oid(X509_CERTIFICATE), explicit(octets(certificate)))),
      ...(i === 0 ? [named] : []),
    ),
  )

  const sealed = scheme.encrypt(der(sequence(...certificateBags)), password, random)
  const contents = der(
    sequence(
      sequence(
        oid(ENCRYPTED_DATA),
        explicit(sequence(integer(0), sequence(oid(DATA), sealed.algorithm, implicit(sealed.encrypted)))),
      ),
      sequence(oid(DATA), explicit(octets(der(sequence(keyBag))))),
    ),
  )

  const salt = random(16)
  const macKey = deriveKey(scheme.digest, password, salt, 3, scheme.digest === 'sha1' ? 20 : 32)
  const mac = createHmac(scheme.digest, macKey).update(contents).digest()
  return der(
    sequence(
      integer(3),
      sequence(oid(DATA), explicit(octets(contents))),
      sequence(sequence(sequence(oid(scheme.digestOid), new Null()), octets(mac)), octets(salt), integer(ROUNDS)),
    ),
  )
}

/** RFC 7292, appendix B.2. Purpose 1 is a key, 2 an IV, 3 a MAC key. */
function deriveKey(
  digest: Scheme['digest'],
  password: string,
  salt: Uint8Array,
  purpose: number,
  size: number,
): Buffer {
  const block = 64
  const characters = Buffer.from(`${password}\0`, 'utf16le').swap16()
  const diversifier = Buffer.alloc(block, purpose)
  let input = Buffer.concat([repeat(salt, block), repeat(characters, block)])
  let derived = Buffer.alloc(0)
  for (;;) {
    let a = hash(digest, Buffer.concat([diversifier, input]), 'buffer')
    for (let i = 1; i < ROUNDS; i++) a = hash(digest, a, 'buffer')
    derived = Buffer.concat([derived, a])
    if (derived.length >= size) return derived.subarray(0, size)

    const increment = toInteger(Buffer.alloc(block, a)) + 1n
    const next: Buffer[] = []
    for (let at = 0; at < input.length; at += block) {
      const sum = toInteger(input.subarray(at, at + block)) + increment
      next.push(
        Buffer.from(
          BigInt.asUintN(8 * block, sum)
            .toString(16)
            .padStart(2 * block, '0'),
          'hex',
        ),
      )
    }
    input = Buffer.concat(next)
  }
}

/** Whole blocks, filled by repeating the bytes. */
function repeat(bytes: Uint8Array, block: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes)
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}

function der(block: BaseBlock): Uint8Array {
  return new Uint8Array(block.toBER())
}

function sequence(...value: BaseBlock[]): Sequence {
  return new Sequence({ value })
}

function oid(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value })
}

function integer(value: number): Integer {
  return new Integer({ value })
}

function octets(bytes: Uint8Array): OctetString {
  return new OctetString({ valueHex: new Uint8Array(bytes).buffer })
}

function explicit(value: BaseBlock): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [value] })
}

function implicit(bytes: Uint8Array): Primitive {
  return new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 }, valueHex: new Uint8Array(bytes).buffer })
}
