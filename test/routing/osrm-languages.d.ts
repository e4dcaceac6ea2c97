/** The package ships no types; this says what the tests use of it. */
declare module 'osrm-text-instructions/languages.js' {
  const languages: { readonly supportedCodes: readonly string[] };
  export default languages;
}
