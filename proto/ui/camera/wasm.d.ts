/** Vite's address of the file, as the box serves it. */
declare module '*.wasm?url' {
  const url: string
  export default url
}
