// The file `policy.toml` beside a store, which the command and every binding read.
//
// Decides how its mistakes are told, in the codes of the command. What a number may be, the engine says.

import { stat, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { parse } from 'smol-toml'

import { Engine } from '../../target/glue/hardwon_web.js'
import { HardwonError, messageOf } from '../error.js'
import type { Policy } from '../types.js'

/** The policy beside a store's file; none where there is no such file. The engine says whether it holds. */
export async function policyBeside(file: string, engine: Promise<unknown>): Promise<Policy | undefined> {
  const path = join(dirname(file), 'policy.toml')
  const text = await read(path)
  if (text === undefined) return undefined
  await engine
  try {
    const policy = parse(text)
    new Engine(JSON.stringify({ policy })).free()
    return policy
  } catch (cause) {
    const what = typeof cause === 'string' ? refusal(cause) : messageOf(cause).trimEnd()
    const message = `${path}: ${what}\ncorrect the file, or remove it`
    throw new HardwonError('invalid.policy', message, { cause })
  }
}

/** What the engine says of a setup that it refuses. */
function refusal(json: string): string {
  return (JSON.parse(json) as { error: { message: string } }).error.message
}

async function read(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) {
      throw new HardwonError('file.unreadable', `${path}: it is a pipe, a device or a socket; put a file there`)
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (cause) {
    if (cause instanceof HardwonError) throw cause
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    // Where the store itself cannot be reached, that is told when it is opened.
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined
    if (['EACCES', 'EPERM'].includes(code)) {
      throw new HardwonError('file.denied', `${path}: no permission to read it; check its owner and mode`, { cause })
    }
    throw new HardwonError('file.unreadable', `${path}: it cannot be read (${messageOf(cause)})`, { cause })
  }
}
