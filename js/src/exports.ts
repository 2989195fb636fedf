// What every entry exports.

export { HardwonError } from './error.js'
export { guard, type GuardOptions } from './guard.js'
export { Memory, type CallOptions, type HostEmbedder, type MemoryOptions } from './memory.js'
export { memoryStore } from './store/memory.js'
export { readExport, writeExport } from './export.js'
export type { Stepper, StepperOptions } from './stepper.js'
export type { Complete, CompleteOptions, Embed, Rerank } from './driver.js'
export type { AssetSource, WasmSource } from './engine.js'
export type * from './store/store.js'
export type * from './types.js'
