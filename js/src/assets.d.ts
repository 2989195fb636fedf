declare module '*.wasm' {
  const wasm: WebAssembly.Module
  export default wasm
}

declare module 'hardwon:base64' {
  const base64: string
  export default base64
}

/** The hashes of the files that come with this build. */
declare const HARDWON_FILES: Record<'hardwon.wasm' | 'o200k.bin' | 'table.bin', string>
