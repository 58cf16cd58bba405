/**
 * Writes tickets.csv, always the same one: `node box/demo/generate-tickets.ts`. Every holder is invented, and the codes
 * are no secret, because whoever has this file can make them: nothing here may be sold.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const TICKETS = 2000
/** Nothing that is read out wrongly or typed for its neighbour: no 0, 1, I or O. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const COLUMNS = ['code', 'tier', 'seat', 'holder_name', 'email', 'valid_from', 'valid_until', 'status'] as const

type Row = Partial<Record<(typeof COLUMNS)[number], string>>

/** Given and family names of one script; some write the family first, some without a space. */
const NAMES: { given: string; family: string; familyFirst?: boolean; between?: string }[] = [
  {
    given: 'Inês Tomás Beatriz Duarte Leonor Gonçalo Matilde Rodrigo Carolina Vasco Madalena Afonso',
    family: 'Carvalho Figueiredo Moura Falcão Queirós Teixeira Simões Brandão Lourenço Assunção',
  },
  {
    given: 'Saoirse Callum Imogen Rhys Niamh Alasdair Bronwyn Declan Harriet Tobias',
    family: "O'Donovan Ashworth Pritchard MacAllister Fairweather Ní-Bhriain Thistlewood Hargreaves",
  },
  {
    given: 'Zofia Jakub Małgorzata Łukasz Agnieszka Grzegorz Žofie Ondřej Ľudmila',
    family: 'Wiśniak Błaszczyk Dąbek Świątek Horáková Říha Šimůnek',
  },
  {
    given: 'Çağla Emre Gülşah Özgür Şebnem İlker Tuğba',
    family: 'Yıldırım Karadağ Öztürk Çelikkol Başaran Uğurlu',
  },
  {
    given: 'Thảo Quang Ngọc Hưng Thùy Đăng',
    family: 'Nguyễn Trương Phạm Đoàn Lưu',
    familyFirst: true,
  },
  {
    given: 'Ελένη Σταύρος Αγγελική Νεκτάριος Δήμητρα Θοδωρής',
    family: 'Μαυρίδου Καλογεράς Παπαστάθη Ξενάκης Φωτεινού',
  },
  {
    given: 'Оксана Тарас Наталія Богдан Милена Веселин Злата',
    family: 'Шевчук Кравець Гончаренко Ковалюк Стоянчев Литвин',
  },
  { given: 'ნინო ლევან თამარ გიორგი', family: 'ბერიძე კაპანაძე მელაშვილი ლომიძე' },
  { given: 'ليلى يوسف مريم كريم نادية سامي', family: 'الحداد المنصوري الزهراني بنعيسى القاضي' },
  { given: 'נועה איתן תמר אורי', family: 'לביא שקד ברזילי אלמוג' },
  { given: 'अनन्या रोहित कविता अर्जुन मीरा', family: 'देशमुख त्रिपाठी राजपूत कुलकर्णी' },
  { given: '美咲 健太 陽菜 大輔 さくら', family: '小野寺 長谷部 三浦 西園', familyFirst: true },
  { given: '雨桐 子轩 思远 佳怡', family: '欧阳 慕容 沈 顾', familyFirst: true, between: '' },
  { given: '서연 민준 하은 도윤', family: '남궁 황보 선우 제갈', familyFirst: true, between: '' },
  { given: 'สุดารัตน์ กิตติพงษ์ อรุณี', family: 'วงศ์สวัสดิ์ ศรีทอง บุญมี' },
  { given: 'ሰላም ዳዊት ሄለን', family: 'ተስፋዬ ገብሬ አለሙ' },
]

/** The file's text, RFC 4180 with LF: first one ticket for each thing that can happen at a gate, then the crowd. */
export function demoTickets(): string {
  const random = randomness('lantern-quay demo tickets, 1')
  let seated = 0
  const rows = Array.from({ length: TICKETS }, (_, i): Row => {
    const code = Array.from({ length: 16 }, () => ALPHABET[random(ALPHABET.length)]).join('')
    const row = { code, ...holder(i, random), ...(CASES[i] ?? crowd(random)) }
    if (row.tier !== 'vip') return row
    const seat = `Table ${1 + Math.floor(seated / 6)}, seat ${1 + (seated % 6)}`
    seated++
    return { ...row, seat }
  })
  return [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((column) => field(row[column] ?? '')).join(','))]
    .map((line) => `${line}\n`)
    .join('')
}

const CASES: readonly Row[] = [
  { tier: 'day', status: 'valid' },
  { tier: 'festival', status: 'valid' },
  { tier: 'vip', status: 'valid' },
  { tier: 'crew', status: 'valid' },
  { tier: 'day', status: 'pending' },
  { tier: 'day', status: 'blocked' },
  { tier: 'day', status: 'revoked' },
  { tier: 'day', valid_until: '2026-01-02T06:00:00+00:00', status: 'valid' },
]

function crowd(random: (below: number) => number): Row {
  const share = random(100)
  const tier = share < 58 ? 'day' : share < 88 ? 'festival' : share < 95 ? 'vip' : 'crew'
  const luck = random(1000)
  const status = luck < 12 ? 'pending' : luck < 18 ? 'blocked' : luck < 26 ? 'revoked' : 'valid'
  // Summer days of the years in which the demo is on: 06:00 to 06:00, as the festival's days are.
  if (tier !== 'day' || random(20) > 0) return { tier, status }
  const year = 2026 + random(10)
  const day = 1 + random(30)
  return { tier, status, valid_from: summerMorning(year, day), valid_until: summerMorning(year, day + 1) }
}

function summerMorning(year: number, day: number): string {
  return `${year}-07-${String(day).padStart(2, '0')}T06:00:00+01:00`
}

function holder(i: number, random: (below: number) => number): Row {
  // The lower of two draws: most guests come from near by, where the list begins.
  const script = NAMES[Math.min(random(NAMES.length), random(NAMES.length))]
  // Sold at the box office for cash: nobody asked for a name.
  if (!script || random(25) === 0) return {}
  const pick = (words: string) => words.split(' ')[random(words.split(' ').length)] ?? ''
  const [given, family] = [pick(script.given), pick(script.family)]
  const names = script.familyFirst ? [family, given] : [given, family]
  const ascii = `${given}.${family}`
    .normalize('NFD')
    .replace(/\p{M}|'/gu, '')
    .toLowerCase()
  const mailbox = /^[a-z.-]+$/.test(ascii) ? `${ascii}${i}` : `guest${i}`
  return { holder_name: names.join(script.between ?? ' '), email: `${mailbox}@mail.example` }
}

/** Integers below a bound, near enough to uniform for an invented crowd, read off one long hash of the seed. */
function randomness(seed: string): (below: number) => number {
  const bytes = createHash('shake256', { outputLength: TICKETS * 128 })
    .update(seed)
    .digest()
  let at = 0
  return (below) => {
    const word = bytes.readUInt32LE(at)
    at += 4
    return word % below
  }
}

function field(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

if (import.meta.main) writeFileSync(new URL('tickets.csv', import.meta.url), demoTickets())
