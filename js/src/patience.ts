// How long others are waited for before the answer is `contended`.

import { HardwonError } from './error.js'

/** Ten seconds, as in every host. */
export const PATIENCE_MS = 10_000

export function contended(waited: number): HardwonError {
  const message = `others kept writing to this space for ${waited} ms; nothing was changed, try again`
  return new HardwonError('contended', message)
}
