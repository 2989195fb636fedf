// What the types of the package promise, checked by the compiler alone.

import { HardwonError, guard, memoryStore, open, sqliteStore, stepper } from 'hardwon'
import type { Guarded, Learned, Memory, MemoryRecord, Store, Written } from 'hardwon'
import * as inline from 'hardwon/inline'
import * as slim from 'hardwon/slim'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(): T => true as T

export async function check(): Promise<void> {
  const store: Store = memoryStore()
  const complete = async (prompt: string, { max_tokens }: { max_tokens: number }) => prompt.slice(0, max_tokens)
  const rerank = (query: string, texts: string[]) => new Float32Array(texts.map((text) => Number(text === query)))
  await using memory = await open({ store, space: 'x', policy: { recall: { top_k: 3 } }, complete, model: 'm', rerank })
  const learned = await memory.learn('a trace', { signal: AbortSignal.timeout(1000) })
  holds<Equal<typeof learned, Learned>>()
  const written = await memory.teach({ text: 'a lesson', tools: ['x'] })
  holds<Equal<typeof written, Written>>()
  holds<Equal<Awaited<ReturnType<Memory['get']>>, MemoryRecord>>()
  const { items, block } = await memory.recall({ tool: 'x', args: { any: ['thing'] } })
  holds<Equal<typeof block, string>>()
  holds<Equal<(typeof items)[number]['why']['slot'], 'core' | 'tool' | 'ranked'>>()
  const advice: Guarded = await memory.guard({ tool: 'x' })
  if (advice.verdict === 'advise') await memory.settle(items[0]?.id ?? '', { outcome: 'followed' })

  const add = guard((a: number, b: number) => a + b, memory)
  holds<Equal<typeof add, (a: number, b: number) => number>>()
  const tools = guard({ look: { description: 'looks', execute: async (input: { at: string }) => input.at } }, memory)
  holds<Equal<ReturnType<typeof tools.look.execute>, Promise<string>>>()

  // @ts-expect-error a verb takes what it knows
  await memory.recall({ tsak: 'x' })
  // @ts-expect-error an outcome is one of three
  await memory.settle('id', { outcome: 'ignored' })
  // @ts-expect-error there is no engine in hardwon/slim
  await slim.open({ store })
  await slim.open({ store, wasm: new Uint8Array() })
  await inline.open({ name: 'x', persist: false })
  await sqliteStore({ path: 'x' })
  const steps = await stepper('{}')
  holds<Equal<ReturnType<typeof steps.start>, string>>()
  const error = new HardwonError('contended', 'x')
  holds<Equal<typeof error.code, string>>()
}
