/** Types of the parts that are used; the package ships none. */
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
