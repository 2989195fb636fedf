// What callers give, as JSON.
//
// Decides what of JavaScript has a form there. Never decides what it means.

import { HardwonError } from './error.js'

/** JSON in which an error is its message, what JSON has no word for is text, and half a character is U+FFFD. */
export function json(value: unknown): string {
  const seen = (_: string, one: unknown) =>
    one instanceof Error ? one.message : typeof one === 'bigint' ? String(one) : one
  let text: string | undefined
  try {
    text = JSON.stringify(value, seen)
  } catch (cause) {
    throw new HardwonError('invalid.json', 'the input cannot be written as JSON; see that it holds no cycle', { cause })
  }
  if (text === undefined) return 'null'
  // Models are cut between the halves of a character; nothing else is escaped so.
  return text.includes('\\ud') ? text.replace(/(\\\\)|\\ud[89a-f][0-9a-f]{2}/g, (_, kept) => kept ?? '\ufffd') : text
}

/** Options that a caller gave. */
export function given<T>(options: T): T & object {
  if (typeof options === 'object' && options !== null) return options
  const what = options === null ? 'null' : typeof options
  throw new HardwonError('invalid.json', `options are an object, and ${what} was given`)
}
