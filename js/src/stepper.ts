// The step protocol as strings, which every host exposes: what the conformance vectors play.

import { Engine } from '../target/glue/hardwon_web.js'
import { TOKENS, instantiate, type AssetSource, type Platform, type WasmSource } from './engine.js'
import { HardwonError } from './error.js'
import type { Awaitable } from './types.js'

export interface StepperOptions {
  wasm?: WasmSource | (() => Awaitable<WasmSource>) | undefined
  tokens?: AssetSource | undefined
}

/** One space behind strings; docs/format.md says what goes in and comes out. One operation is under way at a time. */
export class Stepper {
  readonly #engine: Engine

  /** Use `stepper`. */
  constructor(setup: string) {
    try {
      this.#engine = new Engine(setup)
    } catch (refused) {
      const { error } = JSON.parse(String(refused)) as { error: { code: string; message: string } }
      throw new HardwonError(error.code, error.message)
    }
  }

  /** Starts an operation; answers with what it needs, with what came of it, or with an error. */
  start(json: string): string {
    return this.#engine.start(0, json)
  }

  /** Goes on with what the host answered. */
  resume(json: string): string {
    return this.#engine.resume(0, json)
  }

  /** Gives the engine's memory back. */
  free(): void {
    this.#engine.free()
  }
}

/** `stepper` of a runtime, with the token table linked where it can be had. */
export function stepperOf(platform: Platform): (setup: string, options?: StepperOptions) => Promise<Stepper> {
  return async (setup, { wasm, tokens } = {}) => {
    const engine = instantiate(wasm, platform)
    const problem = await TOKENS.load(tokens, platform, engine, false)
    await engine
    if (problem && setup.includes('o200k_base')) throw problem
    return new Stepper(setup)
  }
}
