declare module '*.wasm' {
  const wasm: WebAssembly.Module
  export default wasm
}

declare module 'hardwon:base64' {
  const base64: string
  export default base64
}
