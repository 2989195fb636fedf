// Seeds of operations, from the runtime's own random source.

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** Random bytes for many seeds: one call for each is a fiftieth of a recall. */
const pool = new Uint8Array(16 * 64)
let poolAt = pool.length

/** 16 bytes never used before, as hexadecimal digits. */
export function seed(): string {
  if (poolAt === pool.length) {
    crypto.getRandomValues(pool)
    poolAt = 0
  }
  let digits = ''
  for (const end = poolAt + 16; poolAt < end; poolAt += 1) digits += HEX[pool[poolAt] as number]
  return digits
}
