// The one error of this package. Its codes are those of every host, see docs/errors.md.

/** What went wrong. `code` is stable, for example `invalid.not_found`, `host.store` or `contended`. */
export class HardwonError extends Error {
  override readonly name = 'HardwonError'
  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** An error of the store, unless it is told in our words already. */
export function storeError(what: string, cause?: unknown): HardwonError {
  return cause instanceof HardwonError ? cause : new HardwonError('host.store', `the store failed: ${what}`, { cause })
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
