import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import { armor, Encrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { LARGEST_WORK_FACTOR, LONGEST_HEADER, readAgeHeader } from './age-header.ts'
import { dearmor } from './armor.ts'
import { type Keys, openArchive } from './decryption.ts'
import { EncryptionError, encrypted, encrypterFor } from './encryption.ts'
import { BackupError } from './manifest.ts'

const PASSPHRASE = 'nine blue lanterns on the quay'
const PLAIN = randomBytes(200_000)
const refused = (said: RegExp) => (error: unknown) => error instanceof BackupError && said.test(error.message)

const with_ = (passphrase: string, identities: string[] = []): Keys => ({
  passphrase: async () => passphrase,
  identities: async () => identities,
})
const all = async (stream: Readable) => Buffer.concat(await stream.toArray())
/** In pieces that no border of the format falls together with. */
const pieces = (bytes: Uint8Array, size = 1000) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
    })(),
    { objectMode: false },
  )
const open = async (bytes: Uint8Array, keys?: Keys) => all(await openArchive(pieces(bytes), 'this file', keys))
const make = async (...[encryption]: Parameters<typeof encrypterFor>) =>
  all(Readable.from(await encrypted(pieces(PLAIN), await encrypterFor(encryption))))
/** A small work factor: tests need not compute for seconds. */
const cheap = async (logN: number) => {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(PASSPHRASE)
  encrypter.setScryptWorkFactor(logN)
  return Buffer.from(await encrypter.encrypt(PLAIN))
}

describe('an encrypted archive', () => {
  test('opens with its passphrase and with no other', async () => {
    const file = await make({ passphrase: PASSPHRASE })
    assert.match(file.toString('latin1'), /^age-encryption\.org\/v1\n-> scrypt \S{22} 17\n/)
    assert.deepEqual(await open(file, with_(PASSPHRASE)), PLAIN)
    await assert.rejects(open(file), refused(/is encrypted/))
    const other = with_(PASSPHRASE.toUpperCase())
    await assert.rejects(open(await cheap(5), other), refused(/not the passphrase of this file/))
  })

  test('opens with the identity of each recipient, post-quantum ones too, and with no other', async () => {
    const identities = [await generateX25519Identity(), await generateX25519Identity()]
    const stranger = await generateX25519Identity()
    const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)))
    const file = await make({ recipients })
    for (const identity of identities) assert.deepEqual(await open(file, with_('', [stranger, identity])), PLAIN)
    await assert.rejects(open(file, with_(PASSPHRASE, [stranger])), refused(/for other recipients/))
    await assert.rejects(open(file, with_('', ['AGE-SECRET-KEY-1NOT'])), (error: Error) => {
      assert.doesNotMatch(error.message, /1NOT/)
      return refused(/not an age identity/)(error)
    })
    const hybrid = await generateHybridIdentity()
    const other = await make({ recipients: [await identityToRecipient(hybrid)] })
    assert.deepEqual(await open(other, with_('', [hybrid])), PLAIN)
  })

  test('something else than a recipient is refused, and the message does not have it', async () => {
    const identity = await generateX25519Identity()
    const recipient = await identityToRecipient(identity)
    const last = recipient.endsWith('q') ? 'p' : 'q'
    for (const wrong of [identity, '', 'age1', recipient.slice(0, -1) + last, `age1${'q'.repeat(58)}`])
      await assert.rejects(encrypterFor({ recipients: [recipient, wrong] }), (error: Error) => {
        assert.ok(error instanceof EncryptionError)
        assert.match(error.message, /^Recipient 2 is not a valid age public key/)
        assert.ok(!error.message.includes('SECRET'))
        return true
      })
  })

  test('a changed or shortened one fails, wherever it was changed', async () => {
    const file = await cheap(5)
    const ends = [file.length - 1, file.length - 17, file.length - (PLAIN.length % 65_536) - 16, 200, 60, 30]
    for (const end of ends) await assert.rejects(open(file.subarray(0, end), with_(PASSPHRASE)), BackupError, `${end}`)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: file.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const bytes = Buffer.from(file)
          bytes.writeUInt8(bytes.readUInt8(at) ^ by, at)
          const opened = await open(bytes, with_(PASSPHRASE)).catch((error) => {
            assert.ok(error instanceof BackupError, `${error}`)
          })
          // With another first line it is not an age file at all, and the tar reader refuses it.
          if (opened) assert.deepEqual(opened, bytes)
        },
      ),
      runs(25, 200),
    )
  })

  test('a forged work factor is refused before anything is computed', async () => {
    const file = await cheap(5)
    const text = file.toString('latin1')
    for (const factor of [LARGEST_WORK_FACTOR + 1, 30, 62, 99]) {
      const forged = Buffer.from(text.replace(/(-> scrypt \S+) 5\n/, `$1 ${factor}\n`), 'latin1')
      let asked = false
      const keys: Keys = {
        ...with_(''),
        passphrase: async () => {
          asked = true
          return PASSPHRASE
        },
      }
      await assert.rejects(open(forged, keys), refused(/more work than a passphrase needs/))
      assert.equal(asked, false)
    }
    for (const factor of ['0', '05', '-1', '1e1', '100', '18 18', ''])
      await assert.rejects(
        open(Buffer.from(text.replace(/(-> scrypt \S+) 5\n/, `$1 ${factor}\n`), 'latin1'), with_(PASSPHRASE)),
        BackupError,
        factor,
      )
    const twice = text.replace(/(-> scrypt [\s\S]*?\n)(?=---)/, '$1$1')
    await assert.rejects(open(Buffer.from(twice, 'latin1'), with_(PASSPHRASE)), refused(/not a valid age file/))
  })

  test('a header without an end is read as far as the longest one, and no further', async () => {
    let read = 0
    const endless = Readable.from(
      (function* () {
        yield Buffer.from('age-encryption.org/v1\n')
        for (;;) {
          read += 1024
          yield Buffer.alloc(1024, 'x')
        }
      })(),
      { objectMode: false },
    )
    await assert.rejects(openArchive(endless, 'this file', with_('')), refused(/cut short/))
    assert.ok(read < LONGEST_HEADER * 4, `${read}`)
    assert.ok(endless.destroyed)
  })

  test('a header is total: any bytes are one, or a BackupError', () => {
    const line = fc.constantFrom('-> scrypt', '-> X25519 abc', '->', '---', `--- ${'A'.repeat(43)}`, '', 'QUJD')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        try {
          readAgeHeader(Buffer.from(`age-encryption.org/v1\n${lines.join('\n')}\n`), 'it')
        } catch (error) {
          assert.ok(error instanceof BackupError)
        }
      }),
    )
  })
})

describe('armor', () => {
  test('opens in pieces of any size, with either line end', async () => {
    const file = await cheap(5)
    const text = armor.encode(file)
    for (const form of [text, text.replaceAll('\n', '\r\n'), `\n${text}\n \n`, text.trimEnd()])
      assert.deepEqual(await open(Buffer.from(form), with_(PASSPHRASE)), PLAIN)
    const bytes = randomBytes(1000)
    for (const size of [1, 63, 64, 65, 4096]) {
      const through = pieces(Buffer.from(armor.encode(bytes)), size).compose(dearmor('it')) as Readable
      assert.deepEqual(await all(through), bytes, `${size}`)
    }
  })

  test('is as strict as the format', async () => {
    const bytes = randomBytes(100)
    const text = armor.encode(bytes)
    const through = (form: string) => all(Readable.from([Buffer.from(form)]).compose(dearmor('it')) as Readable)
    assert.deepEqual(await through(text), bytes)
    const lines = text.split('\n')
    const [begin, first = '', second = '', third = '', end] = lines
    for (const form of [
      '',
      lines.slice(1).join('\n'),
      lines.slice(0, -2).join('\n'),
      [begin, first.slice(0, 60), second, third, end].join('\n'),
      [begin, `${first}AAAA`, second, third, end].join('\n'),
      [begin, first, '', second, third, end].join('\n'),
      [begin, first.replace(/^./, '!'), second, third, end].join('\n'),
      [begin, ` ${first}`, second, third, end].join('\n'),
      `${text}more`,
      text.repeat(2),
    ])
      await assert.rejects(through(form), refused(/damaged age armor/), form)
  })
})
