/** Types of the used parts of the package, which ships none. */
declare module 'osrm-text-instructions' {
  interface Compiler {
    compile(
      language: string,
      step: object,
      options: { readonly legIndex?: number; readonly legCount?: number },
    ): string;
  }
  export default function instructions(version: 'v5'): Compiler;
}
