/** The offset of a time zone from UTC at an instant (unix ms), in ms, by the machine's time zone data. */
export function zoneOffset(timeZone: string): (unixMs: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (unixMs) => {
    const found = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(unixMs))
    if (!found) return 0
    const [, sign, hours, minutes, seconds = '0'] = found
    return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }
}
