/** Declares what the tests use; the package ships no types. */
declare module 'osrm-text-instructions/languages.js' {
  const languages: { readonly supportedCodes: readonly string[] };
  export default languages;
}
